import type { CaseSelection } from "../../dashboard/case-filter-ports.ts";
import type { Actor } from "../../kernel/actor.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { digestOfValue } from "../../kernel/digest.ts";
import { type Logger, silentLogger } from "../../telemetry/logger.ts";
import { nameToken } from "../audit/audit-actor.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { joinWords } from "./cases-matching.ts";
import { type TokensOf, tokensOfWord } from "./name-tokens.ts";

type Sought = Pick<CaseSelection, "words" | "namesSoughtBy">;

export interface TravellerSearches {
  /**
   * Runs `find`, which is the only way to get tokens of names. If it got some, the audit then has who looked for a
   * traveller and how many cases were found, never the text.
   */
  run<Found>(
    sought: Sought,
    find: (tokensOf: TokensOf) => Promise<Found>,
    countOf: (found: Found) => number,
  ): Promise<Found>;
}

/** Returns no tokens, for a search that is not for a traveller. */
export const noNames: TokensOf = () => [];

/** A page repeats its search whenever a case changes, and for each further page. That is one search. */
const sameSearchMs = 10 * 60_000;

/** So many searches are remembered in one process. Forgetting one costs another entry of the audit. */
const rememberedMax = 1_000;

export function createTravellerSearches(
  database: Database,
  { clock = systemClock, logger = silentLogger }: { readonly clock?: Clock; readonly logger?: Logger } = {},
): TravellerSearches {
  const last = new Map<string, { readonly words: string; readonly at: number }>();

  /** Whether it is another search than the last one of the same person. */
  const isNew = (by: Actor, words: readonly string[]): boolean => {
    const now = clock.now().getTime();
    const digest = digestOfValue(words);
    const who = `${by.actor} ${by.tokenId ?? ""}`;
    const before = last.get(who);
    if (before?.words === digest && now - before.at < sameSearchMs) return false;
    if (last.size >= rememberedMax) last.clear();
    last.set(who, { words: digest, at: now });
    return true;
  };

  return {
    async run({ words = [], namesSoughtBy: by = null }, find, countOf) {
      const tokensOf: TokensOf = (word) => tokensOfWord(database.encryption, word);
      if (by === null || !joinWords(words).some((word) => tokensOf(word).length > 0)) return await find(noNames);
      const result = await find(tokensOf);
      if (isNew(by, words)) {
        const found = countOf(result);
        logger.info({ actor: by.actor, found }, "travellers.searched");
        await inTransaction(database, async (transaction) => {
          await nameToken(transaction, by.tokenId);
          await sql`select skedchange.audit_traveller_search(${by.actor}, ${found})`.execute(transaction);
        });
      }
      return result;
    },
  };
}
