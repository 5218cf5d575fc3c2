import { eventTables, notificationTables } from "../store/deliveries/delivery-tables.ts";
import { reencryptRecipients } from "../store/deliveries/reencrypt-recipients.ts";
import { withConfiguredDatabase } from "./storage-beside.ts";

export interface Reencryption {
  readonly reencrypted: number;
  /** Recipients whose credentials can't be decrypted; they stay unchanged. */
  readonly unreadableIds: readonly string[];
}

const batchSize = 100;

/**
 * Uses the first key of ENCRYPTION_KEYS, so that older ones are not needed. Works with or without a running server; can
 * be repeated.
 * @param onProgress called after each batch with the number done so far
 * @throws AppError `config.invalid`, and errors of opening the database
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
