import type { Actor } from "../kernel/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfValue } from "../kernel/digest.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { CaseQueries, CaseTotal } from "./ports.ts";

/** Records that somebody looked for a traveller: who and how many cases were found, never the text. */
export type SearchLog = (
  by: Actor,
  words: readonly string[],
  found: { readonly total: CaseTotal | null },
) => Promise<void>;

/** A page repeats its search whenever a case changes, and for each further page. That is one search. */
const sameSearchMs = 10 * 60_000;

/** Of people at one process. Forgetting costs another entry. */
const rememberedMax = 1_000;

export function createSearchLog(needs: {
  readonly queries: Pick<CaseQueries, "areNames" | "auditTravellerSearch">;
  readonly clock: Clock;
  readonly logger: Logger;
}): SearchLog {
  const { queries, clock, logger } = needs;
  const last = new Map<string, { readonly words: string; readonly at: number }>();
  return async (by, words, { total }) => {
    if (words.length === 0 || !queries.areNames(words)) return;
    const now = clock.now().getTime();
    const digest = digestOfValue(words);
    const who = `${by.actor} ${by.tokenId ?? ""}`;
    const before = last.get(who);
    if (before?.words === digest && now - before.at < sameSearchMs) return;
    if (last.size >= rememberedMax) last.clear();
    last.set(who, { words: digest, at: now });
    const found = total?.count ?? 0;
    logger.info({ actor: by.actor, found }, "travellers.searched");
    await queries.auditTravellerSearch(by, found);
  };
}
