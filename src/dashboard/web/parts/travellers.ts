import { useQuery } from "@tanstack/react-query";
import { api } from "../api/api-client.ts";
import type { CaseView } from "../api/responses.ts";

/** Each reading is logged, so it is read once for each proposal and not kept. */
export function useTravellers({ id, proposalDigest }: CaseView) {
  return useQuery({
    queryKey: ["travellers", id, proposalDigest],
    queryFn: () => api.readTravellers(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
