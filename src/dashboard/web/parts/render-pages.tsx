import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProblem } from "../api/api-client.ts";
import { theme } from "../theme.ts";

/** Shows the pages in the document. `staleMs` is how long a response is shown without asking again. */
export function renderPages(
  pages: ReactNode,
  { styleNonce, staleMs }: { readonly styleNonce: string; readonly staleMs: number },
): void {
  // The library that holds the page still behind a dialog takes its nonce from this name and from nowhere else.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce });
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // A response that names a mistake stays the same when asked again; only an absent server is worth more tries.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
        staleTime: staleMs,
      },
    },
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
