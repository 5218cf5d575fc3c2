import "./component-styles.css";
import "./styles.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProblem } from "./api/api-client.ts";
import { App } from "./app.tsx";
import { readPageSettings } from "./page-settings.ts";
import { theme } from "./theme.ts";

const settings = readPageSettings(document);

// The library that holds the page still behind a dialog takes its nonce from this name and from nowhere else.
Object.assign(globalThis, { __webpack_nonce__: settings.styleNonce });

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // An answer that names a mistake stays the same when asked again; only an absent server is worth more tries.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      staleTime: 5_000,
    },
  },
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id 'root'");
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => settings.styleNonce}>
      <QueryClientProvider client={queryClient}>
        <App demoUsers={settings.demoUsers} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
