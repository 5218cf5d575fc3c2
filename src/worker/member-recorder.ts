import type { ObservedStatement } from "../cases/observed-members.ts";
import type { OrderKey } from "../cases/order-context.ts";
import { bitOf } from "../kernel/distinct-count.ts";
import { createRecentSet } from "../kernel/recent-set.ts";
import type { MemberCount } from "./member-ports.ts";

/** What one view of an order stated. */
export interface Sighting extends OrderKey {
  readonly statements: readonly ObservedStatement[];
  /** Whether no change was open. */
  readonly isUnchanged: boolean;
  /** False if the same view may have been noted before: then only its order counts. */
  readonly isCounted: boolean;
}

/** Notes what sources state, so that a commit has something to write only if it was never stated before. */
export interface MemberRecorder {
  /** Returns what this process has not stored before; everything else is counted, and written later. */
  note(sighting: Sighting): readonly ObservedStatement[];
  /** After the commit of what `note` returned. */
  remember(source: string, statements: readonly ObservedStatement[]): void;
  /** Returns what was counted since, and begins anew. */
  takeCounts(): readonly MemberCount[];
}

/** All paths and values of a few sources. Whatever is forgotten is stored once more, which changes nothing. */
const rememberedMax = 50_000;

/** Beyond it, counts wait for the next time. */
const countedMax = 10_000;

export function createMemberRecorder(): MemberRecorder {
  const stored = createRecentSet(rememberedMax);
  let counts = new Map<string, CountInWork>();
  const keyOf = (source: string, { path, valueDigest, class: kind }: ObservedStatement): string =>
    `${source}/${path}=${valueDigest ?? (kind === "other" ? "other" : "")}`;

  const count = (
    { source, orderId, isUnchanged, isCounted }: Sighting,
    key: string,
    statement: ObservedStatement,
  ): void => {
    const { path, valueDigest } = statement;
    const counted = counts.get(key) ?? {
      source,
      path,
      valueDigest,
      views: 0,
      orders: new Set(),
      unchangedOrders: new Set(),
    };
    if (counts.size >= countedMax && !counts.has(key)) return;
    if (isCounted) counted.views += 1;
    counted.orders.add(bitOf(orderId));
    if (isUnchanged) counted.unchangedOrders.add(bitOf(orderId));
    counts.set(key, counted);
  };

  return {
    note(sighting) {
      const unstored: ObservedStatement[] = [];
      for (const statement of sighting.statements) {
        const key = keyOf(sighting.source, statement);
        if (!stored.has(key)) unstored.push(statement);
        else count(sighting, key, statement);
      }
      return unstored;
    },
    remember(source, statements) {
      for (const statement of statements) stored.add(keyOf(source, statement));
    },
    takeCounts() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}

interface CountInWork extends MemberCount {
  views: number;
  readonly orders: Set<number>;
  readonly unchangedOrders: Set<number>;
}
