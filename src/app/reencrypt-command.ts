import { AppError } from "../kernel/app-error.ts";
import type { Database } from "../store/database/database.ts";
import { isLackingRight } from "../store/database/sql-states.ts";
import { countKeys, type KeyUse } from "../store/reencryption/count-keys.ts";
import { type Reencrypted, reencrypt } from "../store/reencryption/reencrypt.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

export interface KeyReport {
  /** The key that encrypts, and those that only decrypt. */
  readonly current: string;
  readonly older: readonly string[];
  readonly uses: readonly KeyUse[];
}

/** Counts what each key encrypts. Works with or without running servers. */
export async function reportKeys(context: CommandContext): Promise<KeyReport> {
  return await withConfiguredDatabase(context, connection, async ({ database, encryptionKeys }) => {
    const ids = encryptionKeys.map(({ id }) => id);
    return { current: currentKeyOf(database), older: ids.slice(1), uses: await countKeys(database) };
  });
}

/**
 * Encrypts everything with the first key of ENCRYPTION_KEYS. Works with or without running servers; after a stop it
 * goes on when it is started again.
 * @param onProgress called after each batch; `left` is what the column had to do when it began, less what is done
 */
export async function reencryptStored(
  context: CommandContext,
  onProgress: (progress: { readonly column: string; readonly done: number; readonly left: number }) => void,
): Promise<readonly Reencrypted[]> {
  return await withConfiguredDatabase(context, connection, async ({ database }) => {
    const current = currentKeyOf(database);
    await assertOwner(database);
    const uses = await countKeys(database);
    const totalOf = (name: string): number =>
      uses.reduce((total, use) => total + (use.column === name ? toDo(use, current) : 0), 0);
    return await reencrypt(database, ({ column, done }) =>
      onProgress({ column, done, left: Math.max(0, totalOf(column) - done) }),
    );
  });
}

/** Rows that are to be encrypted anew. */
export function toDo({ keyId, rows, unbound }: KeyUse, current: string): number {
  return keyId === current ? unbound : rows;
}

const connection = { applicationName: "skedchange keys", maxConnections: 1, as: "owner" } as const;

function currentKeyOf({ encryption }: Database): string {
  if (encryption.currentKeyId !== null) return encryption.currentKeyId;
  throw new AppError("app.no_encryption_key", "There is no key. Set ENCRYPTION_KEYS; `skedchange keys new` makes one.");
}

async function assertOwner({ pool }: Database): Promise<void> {
  try {
    await pool.query("select skedchange.replace_notes('skedchange.decisions.note', '{}', '{}', '{}')");
  } catch (error) {
    if (!isLackingRight(error)) throw error;
    throw new AppError(
      "app.owner_needed",
      "Only the role that owns the database may replace what is stored. Set DATABASE_OWNER_URL, as for `skedchange migrate`.",
      { cause: error },
    );
  }
}
