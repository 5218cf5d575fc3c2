import { expect, test } from "vitest";

interface QueryClient {
  setQueryData(key: readonly unknown[], value: unknown): void;
  getQueryCache(): { getAll(): readonly { readonly queryKey: unknown; readonly state: { readonly data: unknown } }[] };
}

// By variables, because the types of React would take the place of those of the DOM in all tests.
const library: string = "@tanstack/react-query";
const tested: string = "../../../../src/dashboard/web/api/session-end.ts";
const { QueryClient } = (await import(library)) as { readonly QueryClient: new () => QueryClient };
const { forgetSession } = (await import(tested)) as {
  readonly forgetSession: (
    client: QueryClient,
    session: { readonly key: readonly string[]; readonly none: null },
  ) => void;
};

test("Signing out drops everything that the pages have read, and says that nobody is signed in", () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(["session"], { user: "ann" });
  queryClient.setQueryData(["cases", { source: "north" }], ["a case"]);
  queryClient.setQueryData(["travellers"], ["Silva"]);

  forgetSession(queryClient, { key: ["session"], none: null });

  const left = queryClient.getQueryCache().getAll();
  expect(left.map(({ queryKey, state }) => [queryKey, state.data])).toEqual([[["session"], null]]);
});
