import { isVisible } from "../cases/visible-sources.ts";
import type { SourceConfiguration } from "../config/sources-file.ts";
import type {
  DecisionReevaluation,
  Policies,
  PolicyCheck,
  PolicyFinding,
  PolicyMistake,
  PolicyTerm,
} from "../dashboard/policy-ports.ts";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { formatPolicyProblem, loadPolicy } from "../policy/load-policy.ts";
import type { Policy, PolicyProblem } from "../policy/policy.ts";
import { readDecision } from "../store/cases/stored-decisions.ts";
import type { Database } from "../store/database/database.ts";
import type { PolicyStore } from "../store/policies.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { WorkerContext } from "../worker/worker-context.ts";
import { contentOf } from "./policy-content.ts";
import { readPolicyFile, readPolicyText, shippedPolicyNames } from "./policy-file.ts";
import { reevaluateDecision } from "./reevaluate-decision.ts";
import { createTimeZonesOf } from "./time-zones.ts";

export interface PolicyRuntime extends Pick<WorkerContext, "policyOf" | "shadowOf"> {
  readonly policies: Policies;
  /** Reloads the active versions. If that fails, the present ones stay. */
  refresh(): Promise<void>;
}

export interface PolicyRuntimeOptions {
  readonly sources: readonly Pick<SourceConfiguration, "id" | "policyFile">[];
  readonly store: PolicyStore;
  readonly database: Pick<Database, "connection" | "encryption" | "pool">;
  readonly logger: Logger;
}

interface InForce {
  readonly active: Policy;
  readonly shadow: Policy | null;
}

/**
 * Ensures an active policy per source: its file, else the one that a person activated, else the shipped one.
 * @throws `policy.invalid` with every problem, line by line; `policy.unreadable`
 */
export async function openPolicies(options: PolicyRuntimeOptions): Promise<PolicyRuntime> {
  const { sources, store, logger } = options;
  const fromFile = new Map<string, Policy>();
  const loaded = new Map<string, Policy>();
  const inForce = new Map<string, InForce>();

  const shipped = shippedPolicyNames.map((name) => readPolicyFile(name));
  for (const { policy, text } of shipped) {
    loaded.set(policy.version, policy);
    const note = policy.description;
    await store.saveVersion({ version: policy.version, name: policy.name, text, createdBy: "shipped", note });
  }
  for (const { id, policyFile } of sources) {
    const terms = await store.listCurrentTerms();
    const current = terms.find((term) => term.source === id && term.role === "active");
    const isChosen = current?.beganBy.startsWith("person:") === true;
    if (policyFile === null && isChosen) continue;
    const { policy, text, name } = policyFile === null ? shipped[0]! : readPolicyFile(policyFile);
    const by = policyFile === null ? "shipped" : "file";
    if (policyFile !== null) fromFile.set(id, policy);
    await store.saveVersion({ version: policy.version, name: policy.name, text, createdBy: by, note: null });
    if (isChosen) logger.warn({ source: id, file: policyFile, ended: current.version }, "policy.file_takes_over");
    await store.activate({ source: id, role: "active", version: policy.version, note: `From ${name}`, actor: by });
  }

  const load = async (version: string): Promise<Policy> => {
    const known = loaded.get(version);
    if (known !== undefined) return known;
    const stored = await store.readVersion(version, null);
    if (stored === null) throw new AppError("policy.unknown_version", `There is no policy version ${version}.`);
    // The stored version name counts, even if this program computes another digest.
    const policy = { ...readPolicyText(stored.text, stored.name), version };
    loaded.set(version, policy);
    return policy;
  };

  const loadShadow = async (term: PolicyTerm | undefined): Promise<Policy | null> => {
    if (term === undefined) return null;
    return await load(term.version).catch((error: unknown) => {
      logger.error({ source: term.source, version: term.version, error }, "policy.shadow_unusable");
      return null;
    });
  };

  const read = async (): Promise<void> => {
    const terms = await store.listCurrentTerms();
    for (const { id } of sources) {
      const term = (role: PolicyTerm["role"]) => terms.find((each) => each.source === id && each.role === role);
      const active = fromFile.get(id) ?? (await load(term("active")?.version ?? ""));
      const shadow = await loadShadow(term("shadow"));
      if (inForce.get(id)?.active.version !== active.version) {
        logger.info({ source: id, policy: active.name, version: active.version }, "policy.in_force");
      }
      inForce.set(id, { active, shadow });
    }
  };
  await read();

  return {
    policyOf: (source) => inForce.get(source)?.active ?? failOnUnknownSource(source),
    shadowOf: (source) => inForce.get(source)?.shadow ?? null,
    refresh: () => read().catch((error: unknown) => logger.error({ error }, "policy.refresh_failed")),
    policies: createPolicies(options, { load, read }),
  };
}

function failOnUnknownSource(source: string): never {
  throw new AppError(
    "desk.unknown_source",
    `Source ${source} is not configured. Add it to SOURCES_FILE and restart; its cases go on by themselves.`,
  );
}

interface PolicyReader {
  /** Loads a version from the store. */
  load(version: string): Promise<Policy>;
  /** Reads again which versions are in force. */
  read(): Promise<void>;
}

function createPolicies(
  { sources, store, database, logger }: PolicyRuntimeOptions,
  { load, read }: PolicyReader,
): Policies {
  const timeZonesOf = createTimeZonesOf(database);
  return {
    listVersions: store.listVersions,
    readVersion: async (version, visible) => {
      const stored = await store.readVersion(version, visible);
      if (stored === null) return null;
      const terms = await store.listTermsOfVersion(version);
      const policy = await load(version).catch(() => null);
      return {
        ...stored,
        content: policy === null ? null : contentOf(policy),
        terms: terms.filter(({ source }) => isVisible(source, visible)),
      };
    },

    check: (text) => checkPolicy(text),

    listTerms: store.listTerms,

    listSources: async (visible) => {
      const terms = await store.listCurrentTerms();
      const shown = sources.filter(({ id }) => isVisible(id, visible));
      return await Promise.all(
        shown.map(async ({ id, policyFile }) => {
          const active = terms.find(({ source, role }) => source === id && role === "active");
          const shadow = terms.find(({ source, role }) => source === id && role === "shadow");
          if (active === undefined) throw new AppError("policy.none_active", `Source ${id} has no active policy.`);
          return {
            source: id,
            active,
            shadow: shadow === undefined ? null : { ...shadow, ...(await store.countShadow(id, shadow.version)) },
            setByFile: policyFile,
          };
        }),
      );
    },

    addVersion: async ({ text, note, actor, tokenId }) => {
      const result = loadPolicy(text, "policy", { isNew: true });
      if (!result.ok) return { ok: false, problems: result.problems.map(toMistake) };
      const { name, version } = result.policy;
      const isNew = await store.saveVersion({ version, name, text, createdBy: actor, note }, tokenId);
      if (isNew) logger.info({ policy: name, version, actor }, "policy.added");
      return { ok: true, version, name, warnings: result.warnings.map(toMistake) };
    },

    activate: async (activation) => {
      const source = sources.find(({ id }) => id === activation.source);
      if (source === undefined) return { outcome: "no-such-source" };
      if (activation.role === "active" && source.policyFile !== null) {
        return {
          outcome: "refused",
          code: "policy.set_by_file",
          message: `The policy of source ${source.id} is set by the file ${source.policyFile}. Change that file and restart, or remove POLICY_FILE or policy_file first.`,
        };
      }
      if (activation.role === "active" && activation.version === null) {
        return {
          outcome: "refused",
          code: "policy.none",
          message: "A source needs an active policy. Name another one.",
        };
      }
      if (activation.version !== null && (await store.readVersion(activation.version, null)) !== null) {
        try {
          await load(activation.version);
        } catch (error) {
          return { outcome: "refused", code: "policy.invalid", message: messageOf(error) };
        }
      }
      const outcome = await store.activate(activation);
      if (outcome.outcome === "activated") {
        const { role, version, actor } = activation;
        logger.info({ source: source.id, role, version, actor }, "policy.activated");
        await read();
      }
      return outcome;
    },

    listDifferences: async (source, page) => {
      const terms = await store.listCurrentTerms();
      const shadow = terms.find((term) => term.source === source && term.role === "shadow");
      return shadow === undefined
        ? { items: [], next: null }
        : await store.listDifferences(source, shadow.version, page);
    },

    reevaluate: async (decisionId, visible) => {
      const stored = await readDecision(database, decisionId, visible);
      if (stored === null) return null;
      const version = stored.versions["policy"];
      const policy = version === undefined ? null : await load(version).catch(() => null);
      const timeZones = await timeZonesOf(stored.versions["timeZones"] ?? "");
      const reevaluate = reevaluateDecision(stored, policy, timeZones);
      const opinion = (of: Pick<typeof stored, "action" | "reviewQueue" | "rule" | "reasons">) => ({
        action: of.action,
        reviewQueue: of.reviewQueue,
        rule: of.rule,
        reason: of.reasons[0]?.code ?? null,
      });
      return {
        decisionId,
        caseId: stored.caseId,
        outcome: reevaluate.outcome,
        because: reevaluate.because,
        stored: opinion(stored),
        replayed: reevaluate.outcome === "not-replayable" ? null : opinion(reevaluate.verdict),
      } satisfies DecisionReevaluation;
    },
  };
}

/** The most findings that help: the first ones explain what is wrong. */
const findingsMax = 100;

function checkPolicy(text: string): PolicyCheck {
  const today = systemClock.now().toISOString().slice(0, 10);
  const result = loadPolicy(text, "policy", { today, isNew: true });
  const findings = [
    ...(result.ok ? [] : result.problems.map((problem) => toFinding(problem, "error"))),
    ...result.warnings.map((warning) => toFinding(warning, "warning")),
  ];
  return {
    policy: result.ok
      ? { name: result.policy.name, version: result.policy.version, ruleCount: result.policy.rules.length }
      : null,
    findings: findings.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, findingsMax),
  };
}

function toFinding({ line, column, rule, message }: PolicyProblem, severity: PolicyFinding["severity"]): PolicyFinding {
  return { severity, line, column, rule: rule ?? null, message };
}

function toMistake(problem: PolicyProblem): PolicyMistake {
  return { line: problem.line, column: problem.column, text: formatPolicyProblem(problem) };
}
