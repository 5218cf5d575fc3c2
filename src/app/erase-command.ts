import { AppError } from "../kernel/app-error.ts";
import {
  createErasure,
  type ErasureEntry,
  type ErasureOutcome,
  type ErasureSubject,
  erasureEntry,
  type OrderKey,
} from "../store/erasure/erasure.ts";
import { type FoundTraveller, findTraveller } from "../store/erasure/find-traveller.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

const connection = { applicationName: "skedchange erase", maxConnections: 2 };

export interface OrderErasure extends OrderKey {
  /** Null if nothing is stored of the order. */
  readonly subject: ErasureSubject | null;
  /** Null if it was not asked for, or there is nothing to erase. */
  readonly outcome: ErasureOutcome | null;
}

/**
 * Works with or without running servers.
 * @param erasedBy null only describes what is stored
 */
export async function eraseConfiguredOrders(
  context: CommandContext,
  orders: readonly OrderKey[],
  erasedBy: string | null,
): Promise<readonly OrderErasure[]> {
  return await withConfiguredDatabase(context, connection, async ({ database }) => {
    const erasure = createErasure(database);
    const erasures: OrderErasure[] = [];
    for (const key of orders) {
      const subject = await erasure.describe(key);
      const outcome =
        subject === null || erasedBy === null
          ? null
          : await erasure.erase(key, { actor: erasedBy, at: null }, subject.quarantinedIds);
      erasures.push({ ...key, subject, outcome });
    }
    return erasures;
  });
}

/** Returns how many of them were erased. */
export async function eraseConfiguredQuarantined(
  context: CommandContext,
  notifications: FoundTraveller["quarantined"],
  erasedBy: string,
): Promise<number> {
  return await withConfiguredDatabase(context, connection, async ({ database }) => {
    const erasure = createErasure(database);
    let erased = 0;
    for (const notification of notifications) {
      if (await erasure.eraseQuarantined(notification, { actor: erasedBy, at: null })) erased += 1;
    }
    return erased;
  });
}

export async function findConfiguredTraveller(
  context: CommandContext,
  text: string,
  onProgress: (searched: number) => void,
): Promise<FoundTraveller> {
  return await withConfiguredDatabase(context, connection, ({ database }) => findTraveller(database, text, onProgress));
}

export async function listConfiguredErasures(context: CommandContext): Promise<readonly ErasureEntry[]> {
  return await withConfiguredDatabase(context, connection, ({ database }) => createErasure(database).list());
}

export interface AppliedErasures {
  readonly erased: number;
  /** The dump was made after the erasure. What is stored of the order came later. */
  readonly alreadyErased: number;
  readonly notStored: number;
  readonly blocked: readonly OrderErasure[];
}

/** Erases once more what a list from before the restoration of a dump names. Can be repeated. */
export async function applyErasureList(context: CommandContext, list: string): Promise<AppliedErasures> {
  const entries = readErasureList(list);
  return await withConfiguredDatabase(context, connection, async ({ database }) => {
    const erasure = createErasure(database);
    const known = new Set((await erasure.list()).map(keyOf));
    const blocked: OrderErasure[] = [];
    let erased = 0;
    let alreadyErased = 0;
    let notStored = 0;
    for (const entry of entries) {
      const { source, orderId, notificationId } = entry;
      const by = { actor: entry.erasedBy, at: entry.erasedAt };
      if (known.has(keyOf(entry))) {
        alreadyErased += 1;
        continue;
      }
      if (orderId === null) {
        if (await erasure.eraseQuarantined({ source, id: notificationId! }, by)) erased += 1;
        else notStored += 1;
        continue;
      }
      const subject = await erasure.describe({ source, orderId });
      if (subject === null) {
        notStored += 1;
        continue;
      }
      const outcome = await erasure.erase({ source, orderId }, by, subject.quarantinedIds);
      if (outcome.outcome === "erased") erased += 1;
      else blocked.push({ source, orderId, subject, outcome });
    }
    return { erased, alreadyErased, notStored, blocked };
  });
}

function keyOf({ source, orderId, notificationId, erasedAt }: ErasureEntry): string {
  return JSON.stringify([source, orderId, notificationId, erasedAt.toISOString()]);
}

/** @throws AppError `cli.erasures_unreadable` with the number of the line */
function readErasureList(list: string): readonly ErasureEntry[] {
  return list.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const read = erasureEntry.safeParse(parse(line));
    if (read.success) return [read.data];
    throw new AppError(
      "cli.erasures_unreadable",
      `Line ${index + 1} is not what \`skedchange erase --list\` prints. Nothing was erased.`,
    );
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
