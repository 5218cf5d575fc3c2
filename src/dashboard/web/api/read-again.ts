import type { Query, QueryClient } from "@tanstack/react-query";

/**
 * A read that is under way may hold what was before the change, and its response would count as fresh: where it is not
 * started anew, it is followed by another.
 */
export async function readAgain(queryClient: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const followed = queryClient
    .getQueryCache()
    .findAll({ predicate, fetchStatus: "fetching" })
    .filter((query) => !query.isActive() || query.state.data === undefined);
  for (const { queryKey, promise } of followed) {
    const follow = () => queryClient.invalidateQueries({ queryKey, exact: true });
    promise?.then(follow, follow);
  }
  await queryClient.invalidateQueries({ predicate });
}
