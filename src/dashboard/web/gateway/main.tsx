import "../component-styles.css";
import "../styles.css";
import "./gateway.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProblem } from "../api/api-client.ts";
import { theme } from "../theme.ts";
import { GatewayApp } from "./gateway-app.tsx";

const read = (name: string): string => document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
const styleNonce = read("style-nonce");
const demoToken = read("demo-token");

// The library that holds the page still behind a dialog takes its nonce from this name and from nowhere else.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      staleTime: 2_000,
    },
  },
});

const root = document.getElementById("root");
if (root === null) throw new Error("gateway.html has no element with the id 'root'");
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queryClient}>
        {/* The development server of Vite leaves the placeholder as it is. */}
        <GatewayApp demoToken={demoToken.startsWith("{{") ? "" : demoToken} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
