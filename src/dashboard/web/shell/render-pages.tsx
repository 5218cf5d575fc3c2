import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { connection } from "../api/connection.ts";
import { ApiProblem } from "../api/send-request.ts";
import { theme } from "../theme.ts";

/** @param staleMs How long a response counts as fresh. */
export function renderPages(
  pages: ReactNode,
  { styleNonce, staleMs }: { readonly styleNonce: string; readonly staleMs: number },
): void {
  // The library that locks scrolling behind a dialog reads its nonce only from this name.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce });
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // A 4xx would stay the same.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
        staleTime: staleMs,
        // Else the library waits without a word while the browser is offline, and says so nowhere.
        networkMode: "always",
      },
      // Else it sends later what somebody did while the browser was offline.
      mutations: { networkMode: "always" },
    },
  });
  for (const event of ["online", "offline"]) globalThis.addEventListener(event, connection.doubt);
  connection.subscribe(() => {
    if (connection.outage() === null) void queryClient.invalidateQueries();
  });
  const root = document.getElementById("root");
  if (root === null) throw new Error("The document has no element with the id 'root'");
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
