import { availableParallelism } from "node:os";
import { AppError } from "../../kernel/app-error.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { BacktestReport, BacktestSettings } from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import type { NotificationRange } from "../../store/notifications/stored-notifications.ts";
import { createPolicyStore } from "../../store/policies.ts";
import { readPolicyFile, readPolicyText } from "../policy-file.ts";
import { type CommandContext, type ConfiguredDatabase, withConfiguredDatabase } from "../storage-beside.ts";
import { threadsOf } from "./backtest-threads.ts";
import { backtestDecisions, backtestStored, type OnProgress } from "./run-backtest.ts";

export interface StoredBacktestRequest extends CommandContext {
  /** The policy to try. */
  readonly after: Policy;
  /** `active`, `stored`, a file, or a shipped policy. */
  readonly against: string;
  readonly range: NotificationRange;
  readonly settings: BacktestSettings;
  readonly onProgress: OnProgress;
}

/** Below this many bodies, starting threads costs more than they save. */
const threadsMinBodies = 2_000;

/** Works with or without a running server. */
export async function backtestConfigured(request: StoredBacktestRequest): Promise<BacktestReport> {
  const { after, against, range, settings, onProgress } = request;
  const connection = { applicationName: "skedchange backtest", maxConnections: 2 };
  return await withConfiguredDatabase(request, connection, async (opened) => {
    const { database, configuration, encryptionKeys } = opened;
    const sources = configuration.sources.map(({ id }) => id);
    const source = range.source ?? (sources.length === 1 ? sources[0]! : null);
    const before = against === "stored" ? after : await findBefore(opened, against, source);
    const parts = { database, range, policies: { before, after }, settings, onProgress };
    if (against === "stored") return await backtestDecisions(parts);
    const threads = threadsOf(availableParallelism());
    return await backtestStored({ ...parts, encryptionKeys, threads, threadsMinBodies: threadsMinBodies });
  });
}

async function findBefore(
  { database, configuration }: ConfiguredDatabase,
  what: string,
  source: string | null,
): Promise<Policy> {
  if (what !== "active") return readPolicyFile(what).policy;
  if (source === null) {
    throw new AppError("cli.backtest_source", "There are several sources: name one with --source, or give --against.");
  }
  const file = configuration.sources.find(({ id }) => id === source)?.policyFile ?? null;
  if (file !== null) return readPolicyFile(file).policy;
  const store = createPolicyStore(database, systemClock);
  const terms = await store.listCurrentTerms();
  const active = terms.find((term) => term.source === source && term.role === "active");
  const stored = active === undefined ? null : await store.readVersion(active.version);
  return stored === null ? readPolicyFile(null).policy : readPolicyText(stored.text, stored.name);
}
