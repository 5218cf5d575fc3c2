import { eventTables, notificationTables } from "../store/deliveries/delivery-tables.ts";
import { reencryptRecipients } from "../store/deliveries/reencrypt-recipients.ts";
import { withConfiguredDatabase } from "./storage-beside.ts";

/** What re-encrypting did. */
export interface Reencryption {
  readonly reencrypted: number;
  /** Recipients whose credentials could not be opened, and stay as they are. */
  readonly unreadableIds: readonly string[];
}

/** Recipients in one transaction. */
const batchSize = 100;

/**
 * Encrypts the credentials of all recipients with the first key of ENCRYPTION_KEYS, so that older keys are needed for
 * them no more. Works beside a running server as well as without one, and can be run again at any time.
 *
 * @param onProgress called after each batch, with how many were done so far.
 * @throws AppError `config.invalid`, and what opening the database throws.
 */
export async function reencryptCredentials(
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  onProgress: (reencrypted: number) => void,
): Promise<Reencryption> {
  const connection = { applicationName: "skedchange keys", maxConnections: 1 };
  return await withConfiguredDatabase({ environment, print }, connection, async ({ database }) => {
    let reencrypted = 0;
    const unreadableIds: string[] = [];
    for (const tables of [notificationTables, eventTables]) {
      let after: string | null = null;
      do {
        const batch = await reencryptRecipients(database, after, batchSize, tables);
        reencrypted += batch.reencrypted;
        unreadableIds.push(...batch.unreadableIds);
        if (batch.reencrypted > 0) onProgress(reencrypted);
        ({ after } = batch);
      } while (after !== null);
    }
    return { reencrypted, unreadableIds };
  });
}
