import { z } from "zod";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { readSearchedBodies } from "./stored-bodies-search.ts";

export interface OrderKey {
  readonly source: string;
  readonly orderId: string;
}

export interface ErasureBlocker {
  readonly code:
    | "case-open"
    | "case-due"
    | "effect-live"
    | "task-open"
    | "order-leased"
    | "notification-pending"
    | "notification-shared"
    | "event-being-delivered";
  /** The id of what the code is about. */
  readonly about: string;
}

/** What is stored of an order, before it is erased. */
export interface ErasureSubject {
  readonly caseStates: readonly string[];
  readonly quarantinedIds: readonly string[];
  /** Notifications in quarantine that cannot be decrypted, and may name the order as well. */
  readonly unreadable: number;
  readonly blockers: readonly ErasureBlocker[];
}

export type ErasureOutcome =
  | { readonly outcome: "erased"; readonly counts: Readonly<Record<string, number>> }
  | { readonly outcome: "blocked"; readonly blockers: readonly ErasureBlocker[] };

/** A line of `skedchange erase --list`. It names an order, or a notification in quarantine. */
export const erasureEntry = z
  .strictObject({
    source: z.string().min(1),
    orderId: z.string().min(1).nullable(),
    notificationId: z.guid().nullable(),
    erasedAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    /** `person:` and who. */
    erasedBy: z.string().min(1),
  })
  .refine(({ orderId, notificationId }) => (orderId === null) !== (notificationId === null));

export type ErasureEntry = z.output<typeof erasureEntry>;

export interface ErasedBy {
  /** `person:` and who. */
  readonly actor: string;
  /** When it was erased first, if a restored dump is erased once more; null is now. */
  readonly at: Date | null;
}

export interface Erasure {
  /** Null if nothing is stored of the order. */
  describe(key: OrderKey): Promise<ErasureSubject | null>;
  erase(order: OrderKey, by: ErasedBy, quarantinedIds: readonly string[]): Promise<ErasureOutcome>;
  /** False if there is no such notification in quarantine with a body. */
  eraseQuarantined(notification: { readonly source: string; readonly id: string }, by: ErasedBy): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<readonly ErasureEntry[]>;
}

export function createErasure(database: Pick<Database, "connection" | "encryption">): Erasure {
  const { connection } = database;

  return {
    describe: async (key) => {
      const { source, orderId } = key;
      const { rows } = await sql<{ isKnown: boolean; caseStates: string[] }>`
        select exists (select from skedchange.orders where source = ${source} and order_id = ${orderId}) as "isKnown",
          array(
            select state from skedchange.cases where source = ${source} and order_id = ${orderId} order by opened_at, id
          ) as "caseStates"
      `.execute(connection);
      const { isKnown, caseStates } = rows[0]!;
      const { quarantinedIds, unreadable } = await findQuarantined(database, key);
      const blockers = await readBlockers(database, key);
      if (!isKnown && quarantinedIds.length === 0 && blockers.length === 0) return null;
      return { caseStates, quarantinedIds, unreadable, blockers };
    },

    erase: async ({ source, orderId }, { actor, at }, quarantinedIds) => {
      try {
        const { rows } = await sql<{ counts: Record<string, number> }>`
          select skedchange.erase_order(${source}, ${orderId}, ${actor}, ${at}, ${[...quarantinedIds]}::uuid[])
            as counts
        `.execute(connection);
        return { outcome: "erased", counts: rows[0]!.counts };
      } catch (error) {
        if (!isWorkedOn(error)) throw error;
        return { outcome: "blocked", blockers: await readBlockers(database, { source, orderId }) };
      }
    },

    eraseQuarantined: async ({ source, id }, { actor, at }) => {
      const { rows } = await sql<{ deleted: number }>`
        select skedchange.erase_quarantined(${source}, ${id}::uuid, ${actor}, ${at}) as deleted
      `.execute(connection);
      return rows[0]!.deleted > 0;
    },

    list: async () => {
      const { rows } = await sql<ErasureEntry>`
        select source, order_id as "orderId", notification_id as "notificationId", erased_at as "erasedAt", erased_by as "erasedBy"
        from skedchange.erasures order by id
      `.execute(connection);
      return rows;
    },
  };
}

async function readBlockers(
  { connection }: Pick<Database, "connection">,
  { source, orderId }: OrderKey,
): Promise<readonly ErasureBlocker[]> {
  const { rows } = await sql<ErasureBlocker>`
    select code, about from skedchange.erasure_blockers(${source}, ${orderId})
  `.execute(connection);
  return rows;
}

/** A notification in quarantine belongs to no order, so its body must be read. */
async function findQuarantined(
  database: Pick<Database, "connection" | "encryption">,
  { source, orderId }: OrderKey,
): Promise<Pick<ErasureSubject, "quarantinedIds" | "unreadable">> {
  const quarantinedIds: string[] = [];
  let unreadable = 0;
  // Not as a part of a longer id.
  const names = new RegExp(`(?<![\\w-])${orderId.replaceAll(/[^\w]/g, "\\$&")}(?![\\w-])`);
  for await (const { id, text } of readSearchedBodies(database, source)) {
    if (text === null) unreadable += 1;
    else if (names.test(text)) quarantinedIds.push(id);
  }
  return { quarantinedIds, unreadable };
}

function isWorkedOn(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "erasures_wait_for_work";
}
