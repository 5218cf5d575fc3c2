import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Router } from "express";
import helmet from "helmet";
import { codeOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { refuseMethod } from "./api/exchange.ts";
import type { CaseQueries, ProcessStatus } from "./ports.ts";
import { renderStatusPage, type StatusPageContent } from "./render-status-page.ts";

export interface StatusPageOptions {
  readonly queries: Pick<CaseQueries, "readOverview" | "listCases">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly statusSnapshot: () => Promise<ProcessStatus>;
  readonly showOrders?: boolean;
}

const newestCasesMax = 20;

/** Anyone may load this page; one reading for all of them within this time keeps it from burdening the database. */
const contentAgeMaxMs = 2_000;

/** `/status`: what this process is, whether its parts can be reached, and how much work there is. Needs no sign-in. */
export function createStatusPage(options: StatusPageOptions): Router {
  const style = readFileSync(new URL("./status-page.css", import.meta.url), "utf8");
  const styleHash = createHash("sha256").update(style).digest("base64");
  const readContent = shareFor(contentAgeMaxMs, options.clock, () => gatherContent(options));

  const router = Router();
  router.get(
    "/status",
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: [`'sha256-${styleHash}'`],
          imgSrc: ["data:"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
    async (_request, response) => {
      const page = renderStatusPage(await readContent(), style);
      response.setHeader("Cache-Control", "no-store");
      response.type("html").send(page);
    },
  );
  router.all("/status", refuseMethod("GET, HEAD"));
  return router;
}

async function gatherContent(options: StatusPageOptions): Promise<StatusPageContent> {
  const now = options.clock.now();
  const [status, overview, newest] = await Promise.all([
    options.statusSnapshot(),
    orNull(options.queries.readOverview(now), options.logger),
    options.showOrders === true
      ? orNull(
          options.queries.listCases({ orderId: null, states: [], source: null, after: null, limit: newestCasesMax }),
          options.logger,
        )
      : null,
  ]);
  return { now, status, overview, newest: newest?.items ?? null };
}

/** The page must say that the database is away, not fail with it. */
async function orNull<T>(reading: Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    logger.warn({ code: codeOf(error), error }, "status_page.reading_failed");
    return null;
  }
}

/** One call of `read` serves everyone who asks while it runs and for `ageMaxMs` after it began. */
function shareFor<T>(ageMaxMs: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let shared: { readonly since: number; readonly value: Promise<T> } | null = null;
  return () => {
    const now = clock.now().getTime();
    if (shared === null || now - shared.since >= ageMaxMs || now < shared.since) {
      const value = read();
      const current = { since: now, value };
      shared = current;
      value.catch(() => {
        if (shared === current) shared = null;
      });
    }
    return shared.value;
  };
}
