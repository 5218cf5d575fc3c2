import { useQuery } from "@tanstack/react-query";
import { readOf } from "../api/hooks.ts";
import type { CaseView } from "../api/responses.ts";

/** Each reading is logged, so it is read once for each proposal and not kept. */
export function useTravellers({ id, proposalDigest }: CaseView) {
  const { queryKey, queryFn } = readOf("GET /cases/{id}/travellers", { params: { id } });
  return useQuery({
    queryKey: [...queryKey, proposalDigest],
    queryFn,
    staleTime: ({ state }) => (state.data === undefined ? 0 : "static"),
    gcTime: 0,
  });
}
