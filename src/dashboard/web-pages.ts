import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Response, Router } from "express";
import expressStaticGzip from "express-static-gzip";
import helmet from "helmet";
import { refuseMethod } from "../http/mount-routes.ts";
import { writeProblem } from "../http/problem-document.ts";
import { codeOf } from "../kernel/app-error.ts";
import { html } from "./html.ts";
import type { UserRole } from "./people/role.ts";

/** Somebody whom the sign-in page offers to click, with the password. Demo mode only. */
export interface OfferedUser {
  readonly username: string;
  readonly password: string;
  readonly role: UserRole;
}

export interface WebPagesOptions {
  /** The folder that Vite has built: the documents and `assets`; not given: where the build puts them. */
  readonly folder?: string;
  /** The document that every address loads; not given: the one of the agency side. */
  readonly document?: "index.html" | "gateway.html";
  /** The addresses that the pages have; not given: those of the agency side. */
  readonly paths?: readonly string[];
  readonly offeredUsers: readonly OfferedUser[];
  /** The token that the sign-in page of the gateway side offers. Demo mode only. */
  readonly offeredToken?: string;
}

/** Where the build puts the pages; the compiled file and its source are equally far from it. */
const builtPagesFolder = fileURLToPath(new URL("../../dist/dashboard/web/", import.meta.url));

/** The addresses of the agency side's pages. Each of them loads the same document, which shows the page of its address. */
const agencyPaths = [
  "/",
  "/cases/:id",
  "/tasks",
  "/bulk-actions",
  "/bulk-actions/:id",
  "/blocked",
  "/quarantine",
  "/policies",
  "/account",
];

/** The nonce is in the response's header, so it must not outlive the response: 128 bits, new for each. */
const nonceBytes = 16;

/** The pages of a side. They hold no data: everything that they show comes from the API. */
export function createWebPages(options: WebPagesOptions): Router {
  const router = Router();
  const { folder = builtPagesFolder } = options;
  const pagePaths = [...(options.paths ?? agencyPaths)];

  router.use(
    "/assets",
    helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } } }),
    // A file's name holds the hash of what is in it, so it never changes. The build puts the compressed ones beside them.
    expressStaticGzip(join(folder, "assets"), {
      index: false,
      enableBrotli: true,
      orderPreference: ["br", "gzip"],
      serveStatic: { immutable: true, maxAge: "1y", redirect: false },
    }),
  );
  router.get(
    pagePaths,
    (_request, response, next) => {
      response.locals["styleNonce"] = randomBytes(nonceBytes).toString("base64");
      next();
    },
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          // Mantine adds elements for its variables at run time, and marks each of them with the nonce.
          styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
    (_request, response) => sendPage(response, folder, options),
  );
  router.all(pagePaths, refuseMethod("GET, HEAD"));
  return router;
}

async function sendPage(response: Response, folder: string, options: WebPagesOptions): Promise<void> {
  const { document = "index.html", offeredUsers, offeredToken = "" } = options;
  const page = await readPage(join(folder, document));
  response.setHeader("Cache-Control", "no-store");
  if (page === null) {
    writeProblem(response, {
      status: 503,
      code: "dashboard.not_built",
      title: "The pages are not built",
      detail: "Run `npm run build` in the installation of Skedchange. Everything else works without it.",
    });
    return;
  }
  const filled = page
    .replace("{{styleNonce}}", nonceOf(response))
    .replace("{{demoUsers}}", () => (offeredUsers.length === 0 ? "" : html`${JSON.stringify(offeredUsers)}`.html))
    .replace("{{demoToken}}", () => html`${offeredToken}`.html);
  response.type("html").send(filled);
}

/** Read for each loading of a page, which is rare, so that a new build needs no restart; null when there is none. */
async function readPage(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function nonceOf(response: Response): string {
  return String(response.locals["styleNonce"]);
}
