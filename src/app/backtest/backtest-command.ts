import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { loadSources } from "../../config/load-settings.ts";
import { defaultSourceId, type SourceConfiguration } from "../../config/sources-file.ts";
import { AppError } from "../../kernel/app-error.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { BacktestReport } from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import { createMemberMarkStore } from "../../store/members/member-marks.ts";
import type { NotificationRange } from "../../store/notifications/stored-notifications.ts";
import { createPolicyStore } from "../../store/policies.ts";
import { silentLogger } from "../../telemetry/logger.ts";
import { readMarksInForce } from "../members.ts";
import { readPolicyFile, readPolicyText } from "../policy-file.ts";
import { type CommandContext, type ConfiguredDatabase, withConfiguredDatabase } from "../storage-beside.ts";
import { refreshTimeZones } from "../time-zones.ts";
import { threadOptions } from "./backtest-threads.ts";
import { backtestDecisions, backtestStored, type StoredBacktest } from "./run-backtest.ts";

export interface StoredBacktestRequest
  extends CommandContext,
    Pick<StoredBacktest, "range" | "settings" | "onProgress"> {
  readonly candidate: Policy;
  /** What it is compared with: `active`, `stored` (what was decided then), a file, or a shipped policy. */
  readonly against: string;
}

/** Below this many bodies, starting threads costs more than they save. */
const threadsMinBodies = 2_000;

export async function backtestConfiguredDatabase(request: StoredBacktestRequest): Promise<BacktestReport> {
  const { candidate, against, range, settings, onProgress } = request;
  const connection = { applicationName: "skedchange backtest", maxConnections: 2 };
  return await withConfiguredDatabase(request, connection, async (opened) => {
    const { database, encryptionKeys } = opened;
    await refreshTimeZones(database, silentLogger);
    const backtest = { database, range, settings, onProgress };
    if (against === "stored") return await backtestDecisions(backtest, candidate);
    const before = against === "active" ? await loadActivePolicy(opened, range) : readPolicyFile(against).policy;
    const threads = threadOptions(availableParallelism());
    const policies = {
      before,
      after: candidate,
      marks: await readMarksInForce(createMemberMarkStore(database, systemClock)),
    };
    return await backtestStored({ ...backtest, policies, encryptionKeys, threads, threadsMinBodies });
  });
}

/** Loads the policy that a server would have active for the source. */
async function loadActivePolicy({ database, settings }: ConfiguredDatabase, range: NotificationRange): Promise<Policy> {
  const { sources, problems } = loadSources(settings, (path) => readFileSync(path, "utf8"));
  if (problems.length > 0) throw new AppError("config.invalid", problems.join("\n"));
  const source = sourceOf(range, sources);
  // A demo has no configured source; its own one takes POLICY_FILE.
  const file = sources.length === 0 ? (settings.POLICY_FILE ?? null) : policyFileOf(source, sources);
  if (file !== null) return readPolicyFile(file).policy;
  const store = createPolicyStore(database, systemClock);
  const terms = await store.listCurrentTerms();
  const active = terms.find((term) => term.source === source && term.role === "active");
  const stored = active === undefined ? null : await store.readVersion(active.version, null);
  return stored === null ? readPolicyFile(null).policy : readPolicyText(stored.text, stored.name);
}

/** Returns the source of the range, or else the only one. Throws if there are several. */
function sourceOf(range: NotificationRange, sources: readonly SourceConfiguration[]): string {
  if (range.source != null) return range.source;
  if (sources.length > 1) {
    throw new AppError("cli.backtest_source", "There are several sources: name one with --source, or give --against.");
  }
  return sources[0]?.id ?? defaultSourceId;
}

function policyFileOf(source: string, sources: readonly SourceConfiguration[]): string | null {
  return sources.find(({ id }) => id === source)?.policyFile ?? null;
}
