import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { List } from "../api/responses.ts";
import type { Recipient } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";

/** No event stream announces deliveries, so the pages poll. */
export const refreshMs = 5_000;

/** In the order in which they were added; without those that were removed. */
export function useAllRecipients(): UseQueryResult<readonly Recipient[]> {
  const { call } = useDeliverySide().client;
  return useQuery({
    queryKey: ["all recipients"],
    queryFn: async () => {
      const all: Recipient[] = [];
      let cursor: string | null = null;
      do {
        const page: List<Recipient> = await call("GET /recipients", { query: { limit: 100, cursor } });
        all.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return all;
    },
    refetchInterval: refreshMs,
  });
}

export type RecipientsById = ReadonlyMap<string, Recipient>;

export function useRecipientsById(): RecipientsById {
  const recipients = useAllRecipients();
  return new Map(recipients.data?.map((recipient) => [recipient.id, recipient]));
}
