// `scripts/build.js` builds the pages. For development, `npx vite src/dashboard/web` serves them in front of the servers at
// SKEDCHANGE_URL and, for /gateway.html, SKEDCHANGE_GATEWAY_URL.
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
    // The first versions that know light-dark(). Its fallback for older ones ignores the theme that the user has chosen.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    // A large file is fine, because the pages stay open all day.
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "gateway.html"].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      // One file for what several pages use: many small ones compress less well, and each is a request. What only pages
      // use that are loaded later, such as charts, is not in it, nor what is such a page on one of the two sides.
      output: {
        codeSplitting: {
          groups: [
            {
              name: "shared",
              tags: ["$initial"],
              minShareCount: 2,
              test: (id) => !id.includes("/web/deliveries/"),
            },
          ],
        },
      },
      // Mantine marks its modules for server rendering, which is not used.
      onLog: (level, log, report) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : report(level, log)),
    },
  },
  server: {
    host: "127.0.0.1",
    // The server refuses requests whose origin is not its own.
    proxy: {
      "/api": { target: server, headers: { origin: server } },
      "/control": { target: gateway },
      "/healthz": { target: server },
    },
  },
});
