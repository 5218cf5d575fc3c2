import "../component-styles.css";
import "../styles.css";
import "../deliveries/deliveries.css";
import "./gateway.css";
import { renderPages } from "../shell/render-pages.tsx";
import { GatewayApp } from "./gateway-app.tsx";

const read = (name: string): string => document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
const demoToken = read("demo-token");

renderPages(
  // The development server of Vite does not replace the placeholder.
  <GatewayApp demoToken={demoToken.startsWith("{{") ? "" : demoToken} />,
  { styleNonce: read("style-nonce"), staleMs: 2_000 },
);
