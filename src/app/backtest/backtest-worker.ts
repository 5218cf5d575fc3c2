import { parentPort, workerData } from "node:worker_threads";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { type BacktestSettings, createTally } from "../../policy/backtest.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { createSealing, type SealedRow } from "../../store/sealing.ts";
import { judgeBatch } from "./judge-batch.ts";

/** What a thread of a backtest is started with. Policies travel as text: their conditions are functions. */
export interface BacktestWorkerData {
  readonly before: string;
  readonly after: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly settings: BacktestSettings;
}

/** Stored bodies for a thread; it answers each message with its share of the tally. */
export type BacktestMessage = readonly (SealedRow & {
  readonly id: string;
  readonly source: string;
  readonly now: Date;
})[];

const { before, after, encryptionKeys, settings } = workerData as BacktestWorkerData;
const sealing = createSealing(encryptionKeys);
const policies = { before: read(before), after: read(after) };

parentPort?.on("message", (rows: BacktestMessage) => {
  void judge(rows);
});

async function judge(rows: BacktestMessage): Promise<void> {
  const tally = createTally();
  const opened = await Promise.all(
    rows.map(({ body, bodyEncoding, keyId }) =>
      // Bytes that cross threads arrive as a plain Uint8Array.
      sealing.open({ body: Buffer.from(body.buffer, body.byteOffset, body.byteLength), bodyEncoding, keyId }),
    ),
  );
  const bodies = rows.map(({ id, source, now }, index) => ({ id, source, now, bytes: opened[index]! }));
  judgeBatch(tally, bodies, policies, settings);
  parentPort?.postMessage(tally);
}

function read(text: string) {
  const loaded = loadPolicy(text, "policy");
  if (!loaded.ok) throw new Error("The policy was checked before the thread was started, and has problems here.");
  return loaded.policy;
}
