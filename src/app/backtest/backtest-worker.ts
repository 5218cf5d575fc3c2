import { parentPort, workerData } from "node:worker_threads";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { type BacktestSettings, createTally } from "../../policy/backtest.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { createEncryption } from "../../store/database/encryption.ts";
import { timeZonesOf, type ZoneTable } from "../../travel/zone-table.ts";
import { activateTimeZones } from "../../travel/zones.ts";
import { type EncryptedBody, evaluateEncrypted, type MarksBySource } from "./evaluate-batch.ts";

/** Policies are passed as text, because conditions are functions. */
export interface BacktestWorkerData {
  readonly before: string;
  readonly after: string;
  readonly marks: MarksBySource;
  /** The active ones of the process. */
  readonly timeZones: ZoneTable;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly settings: BacktestSettings;
}

const { before, after, marks, timeZones, encryptionKeys, settings } = workerData as BacktestWorkerData;
activateTimeZones(timeZonesOf(timeZones));
const encryption = createEncryption(encryptionKeys);
const policies = { before: read(before), after: read(after), marks };

parentPort?.on("message", (bodies: readonly EncryptedBody[]) => void evaluate(bodies));

async function evaluate(bodies: readonly EncryptedBody[]): Promise<void> {
  const tally = createTally();
  await evaluateEncrypted(tally, bodies, encryption, policies, settings);
  parentPort?.postMessage(tally);
}

function read(text: string) {
  const loaded = loadPolicy(text, "policy");
  if (!loaded.ok) throw new Error("The policy was checked before the thread was started, and has problems here.");
  return loaded.policy;
}
