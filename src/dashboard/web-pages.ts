import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RequestHandler, type Response, Router } from "express";
import expressStaticGzip from "express-static-gzip";
import helmet from "helmet";
import { html } from "../http/html.ts";
import { refuseMethod } from "../http/mount-routes.ts";
import { writeProblem } from "../http/problem-document.ts";
import { codeOf } from "../kernel/app-error.ts";
import { agencyPaths } from "./page-table.ts";
import type { UserRole } from "./people/role.ts";

/** Demo mode only. */
export interface OfferedUser {
  readonly username: string;
  readonly password: string;
  readonly role: UserRole;
}

export interface WebPagesOptions {
  /** The folder with the built documents and `assets`. Default: where the build puts them. */
  readonly folder?: string;
  /** The document that every address loads. Default: that of the agency side. */
  readonly document?: "index.html" | "gateway.html";
  /** Default: the addresses of the agency side. */
  readonly paths?: readonly string[];
  readonly offeredUsers: readonly OfferedUser[];
  /** The name of the identity provider with which the sign-in page offers to sign in. */
  readonly offeredProvider?: string | null;
  /** Offered by the sign-in page of the gateway side. Demo mode only. */
  readonly offeredToken?: string;
}

/** The path is the same from the compiled file and from its source. */
const builtPagesFolder = fileURLToPath(new URL("../../dist/dashboard/web/", import.meta.url));

/** 128 random bits, new for each response. */
const nonceBytes = 16;

/** The pages hold no data. Everything that they show comes from the API. */
export function createWebPages(options: WebPagesOptions): Router {
  const router = Router();
  const { folder = builtPagesFolder } = options;
  const pagePaths = [...(options.paths ?? agencyPaths)];

  router.use(
    "/assets",
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
    // A file name contains the hash of the content, so it never changes. The build also writes compressed files.
    expressStaticGzip(join(folder, "assets"), {
      index: false,
      enableBrotli: true,
      orderPreference: ["br", "gzip"],
      serveStatic: { immutable: true, maxAge: "1y", redirect: false },
    }),
  );
  const protect: readonly RequestHandler[] = [
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
          // Mantine adds style elements at run time, each with the nonce.
          styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
          imgSrc: ["'self'", "data:"],
          connectSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
  ];
  router.get(pagePaths, ...protect, (_request, response) => sendPage(response, folder, options));
  router.all(pagePaths, refuseMethod("GET, HEAD"));
  // The document itself says that there is no such page. Programs get the 404 that comes after it.
  router.get("/{*any}", passProgramsOn, ...protect, (_request, response) =>
    sendPage(response.status(404), folder, options),
  );
  return router;
}

/** Whoever takes JSON as well as HTML, or anything, is no browser that opens a page. */
const passProgramsOn: RequestHandler = (request, response, next) => {
  response.vary("Accept");
  next(request.accepts(["json", "html"]) === "html" ? undefined : "router");
};

async function sendPage(response: Response, folder: string, options: WebPagesOptions): Promise<void> {
  const { document = "index.html", offeredUsers, offeredProvider, offeredToken = "" } = options;
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
    .replace("{{identityProvider}}", () => html`${offeredProvider}`.html)
    .replace("{{demoToken}}", () => html`${offeredToken}`.html);
  response.type("html").send(filled);
}

/** Read for each request, so that a new build needs no restart. Null if there is no build. */
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
