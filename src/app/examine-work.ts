import type { Configuration } from "../config/load-settings.ts";
import type { AutomationStop } from "../dashboard/automation-ports.ts";
import type { RunningProcess } from "../dashboard/installation-ports.ts";
import type { PolicyTerm } from "../dashboard/policy-ports.ts";
import type { Clock } from "../kernel/clock.ts";
import { counted } from "../kernel/counted.ts";
import { readUnchained } from "../store/audit/unchained-entries.ts";
import { readStops } from "../store/cases/automation.ts";
import { readBacklog } from "../store/cases/backlog.ts";
import { createClockStore } from "../store/cases/clocks.ts";
import { countTasksWithoutRecipient } from "../store/cases/tasks.ts";
import type { Database } from "../store/database/database.ts";
import { countBlockedOrders } from "../store/orders/blocked-orders.ts";
import { createPolicyStore } from "../store/policies.ts";
import { listProcesses } from "../store/processes.ts";
import { readSourceActivity, type SourceActivity } from "../store/source-activity.ts";
import { readUnsent, type Unsent } from "../store/unsent.ts";
import type { Backlog } from "../telemetry/metrics.ts";
import { type Finding, off, ok, problem, warning } from "./finding.ts";

/** A weekend with its Monday. */
const silentAfterMs = 3 * 24 * 3_600_000;

/** Work that is due is taken within seconds. */
const backlogAfterSeconds = 5 * 60;

/** Entries are chained each second. */
const unchainedAfterMs = 60_000;

/** Reports what the database knows of the processes and of what they do. */
export async function examineWork(
  database: Database,
  sources: readonly Pick<Configuration["sources"][number], "id" | "gateway" | "policyFile">[],
  clock: Clock,
): Promise<Finding[]> {
  const processes = await listProcesses(database);
  const activity = await readSourceActivity(
    database,
    sources.map(({ id }) => id),
  );
  const backlog = await readBacklog(database.connection, clock.now());
  return [
    examineProcesses(processes, backlog),
    ...examineProxies(processes),
    ...examineSending(processes, await readUnsent(database)),
    await examineCases(database, clock),
    ...(await examineInforming(database)),
    ...examineBacklog(backlog),
    ...(await readStops(database.connection)).map(examineStop),
    await examineAudit(database, clock),
    ...(await examinePolicies(database, sources, clock)),
    ...sources.flatMap(({ id, gateway }) => [
      examineNotifications(id, activity.get(id)!, clock),
      ...(gateway === null ? [] : [examineCredentials(id, activity.get(id)!, clock)]),
    ]),
  ];
}

/** Reports a missing worker. A process of 0.2 has no row, so a worker may run unseen; work that waits shows that none does. */
function examineProcesses(processes: readonly RunningProcess[], { oldestDueSeconds }: Backlog): Finding {
  const subject = "processes";
  if (processes.length === 0) {
    return off(subject, "No process runs.", { advice: "Start one with the same settings: `npx skedchange serve`." });
  }
  const roles = new Map<string, number>();
  for (const role of processes.flatMap((process) => process.roles)) roles.set(role, (roles.get(role) ?? 0) + 1);
  const counts = [...roles].map(([role, count]) => (count === 1 ? role : `${count} × ${role}`));
  const versions = new Set(processes.map(({ version }) => version));
  const alive = `${counted(processes.length, "process runs", "processes run")}: ${counts.join(", ")}; version ${[...versions].join(" and ")}.`;
  const takesWork = roles.has("receiver") || roles.has("dashboard");
  if (takesWork && !roles.has("worker")) {
    return oldestDueSeconds < backlogAfterSeconds
      ? warning(subject, `No worker is seen, and no case has waited for one for long. ${alive}`, {
          advice: "Start a process with worker in ROLES, unless one of version 0.2 runs, which is not seen here.",
        })
      : problem(subject, `No worker runs, so no case is decided and nothing is sent to a gateway. ${alive}`, {
          advice: "Start a process with worker in ROLES. If one should run, its log says why it ended.",
        });
  }
  return ok(subject, alive);
}

function examineProxies(processes: readonly RunningProcess[]): Finding[] {
  const proxies = new Set(processes.flatMap(({ untrustedProxy }) => untrustedProxy ?? []));
  return [...proxies].map((address) =>
    warning(
      "proxy",
      `${address} says for whom it sends requests (X-Forwarded-For), and is not in TRUSTED_PROXIES, so it is taken for the client itself.`,
      {
        advice: "If it is your reverse proxy, name it in TRUSTED_PROXIES, or its clients share each limit and lockout.",
      },
    ),
  );
}

/** Reports a missing sender: it sends notices and events, also where no gateway is simulated. */
function examineSending(processes: readonly RunningProcess[], { awaited, oldestDueSeconds }: Unsent): Finding[] {
  if (awaited.length === 0 || processes.length === 0 || processes.some(({ roles }) => roles.includes("sender")))
    return [];
  const late = oldestDueSeconds < 60 ? "" : ` The oldest has waited for ${Math.floor(oldestDueSeconds / 60)} minutes.`;
  const found = late === "" ? warning : problem;
  const detail = `No sender runs, so no ${awaited.join(" and no ")} is sent.${late}`;
  return [found("sending", detail, { advice: "Start a process with sender in ROLES." })];
}

/** Reports which version decides. A policy file is examined with the settings. */
async function examinePolicies(
  database: Database,
  sources: readonly Pick<Configuration["sources"][number], "id" | "policyFile">[],
  clock: Clock,
): Promise<Finding[]> {
  const terms = await createPolicyStore(database, clock).listCurrentTerms();
  return sources
    .filter(({ policyFile }) => policyFile === null)
    .map(({ id }) => {
      const active = terms.find(({ source, role }) => source === id && role === "active");
      return ok(`policy ${id}`, describeTerm(active));
    });
}

function describeTerm(term: PolicyTerm | undefined): string {
  if (term === undefined) return "The one that is shipped, once a process starts.";
  const { name, version, beganAt, beganBy } = term;
  const by = beganBy === "shipped" ? ", as it is shipped" : ` by ${beganBy}`;
  return `'${name}', version ${version.slice(0, 12)}, since ${beganAt.toISOString().slice(0, 10)}${by}.`;
}

async function examineCases(database: Database, clock: Clock): Promise<Finding> {
  const blocked = sumOf(await countBlockedOrders(database));
  const clocks = createClockStore(database, clock);
  const overdue = sumOf(await clocks.countOverdue());
  const overdueTasks = sumOf(await clocks.countOverdueTasks());
  const found = [
    ...(blocked === 0 ? [] : [`${counted(blocked, "order is", "orders are")} blocked`]),
    ...(overdue === 0 ? [] : [`${counted(overdue, "case is", "cases are")} overdue`]),
    ...(overdueTasks === 0 ? [] : [`${counted(overdueTasks, "task is", "tasks are")} overdue`]),
  ];
  const subject = "cases";
  if (found.length === 0) return ok(subject, "No order is blocked, and no case or task is overdue.");
  const advice = [
    ...(blocked === 0 ? [] : ["`skedchange blocked-orders` says why orders are blocked."]),
    ...(overdue + overdueTasks === 0 ? [] : ["What is overdue comes first on the dashboard."]),
  ].join(" ");
  return warning(subject, `${found.join(", and ")}.`, { advice });
}

/** Reports travellers whom a system of the agency should inform, when none was asked to or none took it. */
async function examineInforming(database: Database): Promise<Finding[]> {
  const waiting = await countTasksWithoutRecipient(database.connection);
  return [...waiting].map(([source, count]) =>
    warning(
      `informing ${source}`,
      `${counted(count, "traveller waits", "travellers wait")} to be informed by an event that no recipient of events gets or has taken.`,
      {
        advice:
          "Inform those who wait yourself: Tasks in the dashboard. For later ones, Events must have a recipient that names traveller.inform and takes events of this source.",
      },
    ),
  );
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function examineBacklog({ casesDue, oldestDueSeconds, quarantined }: Backlog): Finding[] {
  const cases = counted(casesDue, "case is", "cases are");
  const minutes = Math.floor(oldestDueSeconds / 60);
  return [
    oldestDueSeconds < backlogAfterSeconds
      ? ok("backlog", `${casesDue === 0 ? "No case is" : cases} due; the workers keep up.`)
      : warning("backlog", `${cases} due, the oldest for ${counted(minutes, "minute")}.`, {
          advice:
            "The workers do not keep up, or their gateway is down. Look at processes, gateway and blocked orders; then raise WORKER_CONCURRENCY or start another worker.",
        }),
    quarantined === 0
      ? ok("quarantine", "Every notification could be used.")
      : warning("quarantine", `${counted(quarantined, "notification")} could not be used.`, {
          advice: "Open Quarantine in the dashboard: reprocess them once their cause is gone, or discard them.",
        }),
  ];
}

function examineStop({ source, cause, stoppedAt, note }: AutomationStop): Finding {
  const whose = source === null ? "" : ` of source ${source}`;
  const resume = source === null ? "skedchange automation resume" : `skedchange automation resume --source ${source}`;
  return warning(
    source === null ? "automation" : `automation ${source}`,
    `Automatic accepts and cancels${whose} are stopped.${cause === "person" ? "" : ` ${note}`}`,
    {
      lastAt: stoppedAt,
      advice: `${cause === "person" ? "Who stopped them, and why, stands above every page. " : ""}A supervisor resumes them above any page, or with \`${resume}\`.`,
    },
  );
}

async function examineAudit(database: Database, clock: Clock): Promise<Finding> {
  const subject = "audit";
  const { waiting, oldestAt, chainedUntil } = await readUnchained(database);
  if (oldestAt === null || clock.now().getTime() - oldestAt.getTime() < unchainedAfterMs) {
    const detail =
      chainedUntil > 0
        ? `Chained up to block ${chainedUntil}.`
        : waiting > 0
          ? "The first entries are about to be chained."
          : "Nothing is recorded yet.";
    return ok(subject, detail);
  }
  return warning(
    subject,
    `${counted(waiting, "entry waits", "entries wait")} to be chained, the oldest since ${oldestAt.toISOString()}.`,
    {
      advice:
        "Every process chains entries. If one runs, its log says why it cannot (job audit chaining). If it can, a transaction that has added entries does not end: look into pg_stat_activity.",
    },
  );
}

function examineNotifications(source: string, { isUsed, lastNotification }: SourceActivity, clock: Clock): Finding {
  const subject = `notifications ${source}`;
  const { at: lastAt, unknownBefore } = lastNotification;
  if (lastAt === null && !isUsed) {
    return off(subject, "No notification has come.", {
      advice: "Let the gateway push to /ocn with the credentials of this source: docs/authentication.md.",
    });
  }
  if (lastAt === null && unknownBefore !== null && !isLongAgo(unknownBefore, clock)) {
    return off(subject, `No notification has come since ${unknownBefore.toISOString()} at least.`);
  }
  const last = lastAt === null ? {} : { lastAt };
  return lastAt !== null && !isLongAgo(lastAt, clock)
    ? ok(subject, "Notifications come.", last)
    : warning(subject, "No notification has come for more than 3 days.", {
        ...last,
        advice: "If you expect some, check at the gateway that it still pushes to this address.",
      });
}

function isLongAgo(at: Date, clock: Clock): boolean {
  return clock.now().getTime() - at.getTime() >= silentAfterMs;
}

/** Reports what workers observed; makes no call. */
function examineCredentials(
  source: string,
  { lastStatusRead, refusedCases, refusedPolls }: SourceActivity,
  clock: Clock,
): Finding {
  const subject = `credentials ${source}`;
  const { at: lastAt, unknownBefore } = lastStatusRead;
  const last = lastAt === null ? {} : { lastAt };
  if (refusedCases + refusedPolls > 0) {
    const waiting = [
      ...(refusedCases === 0 ? [] : [counted(refusedCases, "case waits", "cases wait")]),
      ...(refusedPolls === 0 ? [] : [`the status of ${counted(refusedPolls, "order")} waits`]),
    ];
    return problem(subject, `The gateway refuses our credentials: ${waiting.join(" and ")} for that.`, {
      ...last,
      advice:
        "Check GATEWAY_ACCESS_TOKEN and GATEWAY_API_KEY, or the gateway of the source in SOURCES_FILE. What waits goes on by itself.",
    });
  }
  if (lastAt === null) {
    const since = unknownBefore === null ? "" : ` since ${unknownBefore.toISOString()} at least`;
    return off(subject, `No reservation was read${since}, so they were not used.`);
  }
  return isLongAgo(lastAt, clock)
    ? off(subject, "The gateway took them when they were last used, more than 3 days ago.", last)
    : ok(subject, "The gateway takes them: reservations are read.", last);
}
