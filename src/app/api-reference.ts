import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type RequestHandler, Router } from "express";
import helmet from "helmet";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { writeProblem } from "../http/problem-document.ts";
import { compressResponses } from "./compress-responses.ts";

/** Beside this file once built, else in the package. */
const viewerPlaces = ["./rapidoc-min.js", "../../node_modules/rapidoc/dist/rapidoc-min.js"];

/**
 * The page loads nothing but the document and takes no credentials.
 * @param describe called once, on first use, because it takes tenths of a second
 * @see docs/decisions/0006-rapidoc-shows-the-api.md
 */
export function createApiReference(describe: () => Json): Router {
  const router = Router();
  const viewer = viewerPlaces.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  let described: Description | null = null;
  const describeOnce = (): Description => {
    described ??= toDescription(describe());
    return described;
  };

  // Written and compressed once: a third of a megabyte for everyone who asks would keep the process busy.
  router.get("/openapi.json", (request, response) => {
    const { plain, gzip } = describeOnce();
    const isCompressed = request.acceptsEncodings("gzip") === "gzip";
    response.setHeader("Cache-Control", "no-cache");
    response.vary("Accept-Encoding");
    response.type("json");
    if (isCompressed) response.setHeader("Content-Encoding", "gzip");
    response.send(isCompressed ? gzip : plain);
  });
  router.use("/docs", compressResponses);
  router.get(
    "/docs",
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          // The viewer adds styles at run time and can't use a nonce.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
    (request, response) => {
      response.setHeader("Cache-Control", "no-cache");
      // The page's relative addresses need a path without a trailing slash.
      if (request.path.endsWith("/")) {
        response.redirect(308, "../docs");
        return;
      }
      response.type("html").send(renderPage(describeOnce().title));
    },
  );
  router.get("/docs/viewer.js", (_request, response, next) => {
    if (viewer !== undefined) {
      response.sendFile(viewer, { headers: { "Cache-Control": "no-cache" } }, next);
      return;
    }
    writeProblem(response, {
      status: 503,
      code: "reference.not_built",
      title: "The viewer is not built",
      detail: "Run `npm run build` in the installation of Skedchange. /openapi.json works without it.",
    });
  });
  router.get("/docs/page.css", (_request, response) => {
    response.setHeader("Cache-Control", "no-cache");
    response.type("css").send(pageStyles);
  });
  router.all(["/openapi.json", "/docs", "/docs/viewer.js", "/docs/page.css"], refuseMethod);
  return router;
}

interface Description {
  readonly title: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

function toDescription(document: Json): Description {
  const plain = Buffer.from(JSON.stringify(document));
  const { title } = document["info"] as { readonly title: string };
  return { title, plain, gzip: gzipSync(plain) };
}

const refuseMethod: RequestHandler = (request, response) => {
  const problem = {
    status: 405,
    code: "reference.method_not_allowed",
    title: "Method not allowed",
    detail: `${request.method} is not possible here; use GET, HEAD.`,
  };
  writeProblem(response, problem, { Allow: "GET, HEAD" });
};

/** For what the viewer cuts (the licence, names of credentials), hides (navigation on narrow screens) or prints over a heading. */
const pageStyles = `
#api-info { margin-left: 0 !important; }
.tooltip > div:first-child { max-width: none !important; }
@container (max-width: 767px) {
  .body { flex-direction: column !important; }
  div:has(> .tooltip) { display: none !important; }
  .nav-bar { display: flex !important; width: 100% !important; height: 35vh !important; flex-shrink: 0; border-bottom: 1px solid var(--border-color); }
}
`;

/** Addresses are relative, so that it works below a proxy's path. */
function renderPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="docs/page.css">
<script src="docs/viewer.js" defer></script>
</head>
<body>
<rapi-doc
  spec-url="openapi.json"
  css-file="page.css"
  render-style="focused"
  schema-style="table"
  schema-expand-level="2"
  regular-font="system-ui, sans-serif"
  mono-font="ui-monospace, monospace"
  load-fonts="false"
  show-header="false"
  allow-try="false"
  allow-authentication="false"
  allow-server-selection="false"
  allow-spec-url-load="false"
  allow-spec-file-load="false"
  use-path-in-nav-bar="true"
  show-method-in-nav-bar="as-plain-text"
  primary-color="#1c5fb0"
></rapi-doc>
<noscript>This page needs JavaScript. The description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}
