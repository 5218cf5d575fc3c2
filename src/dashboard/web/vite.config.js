// Builds the pages of the dashboard; `scripts/build.js` calls it, and `npx vite src/dashboard/web` serves them while they
// are written, in front of a server that runs on SKEDCHANGE_URL and, for /gateway.html,
// SKEDCHANGE_GATEWAY_URL.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const server = process.env["SKEDCHANGE_URL"] ?? "http://127.0.0.1:3000";
const gateway = process.env["SKEDCHANGE_GATEWAY_URL"] ?? "http://127.0.0.1:4000";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  build: {
    outDir: fileURLToPath(new URL("../../../dist/dashboard/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // The first ones that know light-dark(). Written out for older ones, it does not follow a theme that is chosen by hand.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy takes scripts and styles from this server only, so nothing may be inlined as data.
    assetsInlineLimit: 0,
    // One file, read once and kept: the pages are a desk that stays open all day.
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Each side has its own document; what both need is read once.
      input: ["index.html", "gateway.html"].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      // Mantine marks its modules for servers that render; there is none here.
      onLog: (level, log, report) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : report(level, log)),
    },
  },
  server: {
    host: "127.0.0.1",
    // The server checks where a request comes from; behind the proxy it comes from the server's own pages.
    proxy: {
      "/api": { target: server, headers: { origin: server } },
      "/control": { target: gateway },
    },
  },
});
