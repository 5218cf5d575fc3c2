import type { z } from "zod";
import { connectionTimeNames, connectionTimeOverrideNames } from "../itinerary/connection-time-settings.ts";
import { defaultConnectionTimes, toConnectionTimes } from "../itinerary/connection-times.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { isRecord } from "../kernel/record.ts";
import { checkRules, type RuleFinding } from "./check-rules.ts";
import { allOf, type Condition, conditionOf, type ThresholdConditions } from "./condition.ts";
import type { Policy, PolicyProblem, PolicyRule, WaitLimits } from "./policy.ts";
import { type DocumentPath, type PolicyDocument, readPolicyDocument } from "./policy-document.ts";
import {
  createPolicySchema,
  keysOf,
  readCoolDown,
  ruleCountMax,
  suggest,
  toLimits,
  type WrittenPolicy,
  type WrittenRule,
} from "./policy-schema.ts";
import { scopeConditions, scopeKeys, validityConditions } from "./rule-scope.ts";
import type { TextPosition } from "./text-position.ts";
import { thresholdRowKeys, thresholdsSchema, toThresholdConditions, toThresholdLimits } from "./thresholds.ts";

export type LoadPolicyResult =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly PolicyProblem[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[]; readonly warnings: readonly PolicyProblem[] };

export interface LoadPolicyOptions {
  /** yyyy-mm-dd: rules that ended before cause a warning. If missing, none do. */
  readonly today?: string;
  /** Whether the policy is not in use yet. Only then is a rule that can never decide an error. */
  readonly isNew?: boolean;
}

/**
 * Parses a policy from YAML and checks shape, names, condition types and whether each rule can decide anything. Reports
 * all problems at once, in the order of the text.
 * @param sourceName a file name, for the problems.
 */
export function loadPolicy(
  text: string,
  sourceName: string,
  { today, isNew = false }: LoadPolicyOptions = {},
): LoadPolicyResult {
  const read = readPolicyDocument(text);
  if (!read.ok) {
    return { ok: false, problems: read.problems.map((problem) => ({ source: sourceName, ...problem })), warnings: [] };
  }
  const { document } = read;
  const report = (found: readonly LocatedProblem[]) =>
    found.map((problem) => toPolicyProblem(problem, document, sourceName)).sort(inOrder);

  const settings = isRecord(document.data) ? document.data["settings"] : undefined;
  const schema = createPolicySchema(readThresholds(settings), readCoolDown(settings));
  const checked = schema.safeParse(document.data);
  const shapeProblems = [
    ...(checked.success ? [] : checked.error.issues.flatMap((issue) => describeIssue(issue, document))),
    ...findRepeatedNames(document),
  ];
  const rules = checked.success
    ? checked.data.rules.map((rule, index) => ({ rule, index }))
    : readableRules(document.data, schema);
  const found = findingsOf(rules, hasValueLimit(settings), today ?? null).map(({ index, key, level, message }) => {
    const path = ["rules", index, key];
    const isError = level === "error" || (level === "unreachable" && isNew);
    return { isError, path, position: document.positionOf(path), message };
  });
  const errors = [...shapeProblems, ...found.filter(({ isError }) => isError)];
  const warnings = report(found.filter(({ isError }) => !isError));
  if (!checked.success || errors.length > 0) return { ok: false, problems: report(errors), warnings };
  return { ok: true, policy: toPolicy(checked.data, text), warnings };
}

/** Renders one problem as a line: `policy.yaml:12:9: rule 'small-retiming': There is no fact ...`. */
export function formatPolicyProblem({ source, line, column, rule, message }: PolicyProblem): string {
  const about = rule === undefined ? "" : `rule '${rule}': `;
  return `${source}:${line}:${column}: ${about}${message}`;
}

/** Reads the valid thresholds, so that their names are not also reported as unknown. */
function readThresholds(settings: unknown): ThresholdConditions {
  const written = isRecord(settings) ? settings["thresholds"] : undefined;
  if (written === undefined) return new Map();
  const read = thresholdsSchema.safeParse(written);
  if (read.success) return toThresholdConditions(read.data);
  return new Map(Object.keys(isRecord(written) ? written : {}).map((name) => [name, conditionOf("true")]));
}

interface PlacedRule {
  readonly rule: WrittenRule;
  readonly index: number;
}

/** An invalid rule does not hide the problems of the others. */
function readableRules(data: unknown, schema: ReturnType<typeof createPolicySchema>): readonly PlacedRule[] {
  const written = isRecord(data) && Array.isArray(data["rules"]) ? (data["rules"] as readonly unknown[]) : [];
  return written.slice(0, ruleCountMax).flatMap((rule, index) => {
    const read = schema.shape.rules.element.safeParse(rule);
    return read.success ? [{ rule: read.data, index }] : [];
  });
}

function hasValueLimit(settings: unknown): boolean {
  return isRecord(settings) && settings["orderValue"] !== undefined;
}

function findingsOf(
  placed: readonly PlacedRule[],
  isValueLimited: boolean,
  today: string | null,
): readonly RuleFinding[] {
  const findings = checkRules(
    placed.map(({ rule }) => toRule(rule)),
    placed.map(({ rule: { validFrom, validUntil } }) => ({ validFrom, validUntil })),
    today,
    isValueLimited,
  );
  return findings.map((finding) => ({ ...finding, index: placed[finding.index]?.index ?? finding.index }));
}

interface LocatedProblem {
  readonly path: DocumentPath;
  readonly position: TextPosition;
  readonly message: string;
}

function findRepeatedNames(document: PolicyDocument): LocatedProblem[] {
  const rules = isRecord(document.data) ? document.data["rules"] : undefined;
  if (!Array.isArray(rules)) return [];
  const names: unknown[] = rules.map((rule: unknown) => (isRecord(rule) ? rule["name"] : undefined));
  return names.flatMap((name, index) => {
    if (typeof name !== "string" || names.indexOf(name) === index) return [];
    const path = ["rules", index, "name"];
    const message = "Another rule has this name already. Choose another.";
    return [{ path, position: document.positionOf(path), message }];
  });
}

/** The first ones explain what is wrong. */
const unknownKeysMax = 20;

function describeIssue(issue: z.core.$ZodIssue, document: PolicyDocument): LocatedProblem[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") {
    const allowed = keysAllowedAt(path);
    // Each suggestion compares the key with every allowed one, so thousands of keys would take seconds.
    return issue.keys.slice(0, unknownKeysMax).map((key) => ({
      path,
      position: document.positionOfKey([...path, key]),
      message: `There is no '${key}' here.${suggest(key, allowed)} There are ${allowed.join(", ")}.`,
    }));
  }
  // A set of thresholds is a row or a list of rows: only the problems of the intended form are explained.
  if (issue.code === "invalid_union" && path.length === 3 && path[1] === "thresholds") {
    const meant = issue.errors[Array.isArray(valueAt(document.data, path)) ? 0 : 1] ?? [];
    return meant.flatMap((inner) => describeIssue({ ...inner, path: [...path, ...inner.path] }, document));
  }
  const last = path.at(-1);
  const isMissing = last !== undefined && valueAt(document.data, path) === undefined;
  const message = isMissing ? `'${last}' is missing: ${issue.message.replace(`'${last}' `, "it ")}` : issue.message;
  return [{ path, position: positionOfIssue(issue, path, document), message: asSentence(message) }];
}

/** Checks that know the failing character put it into `params.offset`. */
function positionOfIssue(issue: z.core.$ZodIssue, path: DocumentPath, document: PolicyDocument): TextPosition {
  const offset: unknown = issue.code === "custom" ? issue.params?.["offset"] : undefined;
  return typeof offset === "number" ? document.positionInString(path, offset) : document.positionOf(path);
}

const thresholdRangeKeys: Readonly<Record<string, readonly string[] | undefined>> = {
  daysToDeparture: ["from", "under"],
  ticketIssued: ["from", "before"],
};

function keysAllowedAt(path: DocumentPath): readonly string[] {
  const last = path.at(-1);
  if (path.length === 0) return keysOf.policy;
  if (path[0] === "settings") {
    if (path.length === 1) return keysOf.settings;
    if (path[1] === "thresholds") return thresholdRangeKeys[String(last)] ?? thresholdRowKeys;
    if (path[1] === "coolDown") return keysOf.wait;
    return path.length === 2 ? connectionTimeNames : connectionTimeOverrideNames;
  }
  if (last === "scope") return scopeKeys;
  if (last === "wait") return keysOf.wait;
  return last === "review" ? keysOf.review : keysOf.rule;
}

function toPolicyProblem(
  { path, position, message }: LocatedProblem,
  document: PolicyDocument,
  source: string,
): PolicyProblem {
  const rule = path[0] === "rules" ? valueAt(document.data, [...path.slice(0, 2), "name"]) : undefined;
  return { source, ...(typeof rule === "string" ? { rule } : {}), ...position, message };
}

function inOrder(a: PolicyProblem, b: PolicyProblem): number {
  return a.line - b.line || a.column - b.column;
}

function toPolicy(written: WrittenPolicy, text: string): Policy {
  const connectionTimes = toConnectionTimes(written.settings?.connectionTimes ?? {});
  const { connectionTimes: _, ...settings } = written.settings ?? {};
  const version = digestOfValue({
    format: written.version,
    name: written.name,
    mode: written.mode,
    rules: written.rules.map(({ when, ...rule }) => ({ ...rule, when: when.text })),
    settings,
    // The defaults are no setting: each decision stores their version.
    connectionTimes: connectionTimes === defaultConnectionTimes ? undefined : connectionTimes.version,
  });
  return {
    name: written.name,
    description: written.description ?? null,
    version,
    text,
    mode: written.mode,
    connectionTimes,
    legalPresets: written.settings?.legalPresets ?? {},
    limits: toLimits(written.settings),
    thresholds: toThresholdLimits(written.settings?.thresholds ?? {}),
    rules: written.rules.map(toRule),
  };
}

function toRule(rule: WrittenRule): PolicyRule {
  const conditions: readonly Condition[] = [
    ...scopeConditions(rule.scope ?? {}),
    ...validityConditions(rule.validFrom, rule.validUntil),
    ...waitConditions(rule.do.wait),
  ];
  return {
    name: rule.name,
    description: rule.description ?? null,
    enabled: rule.enabled,
    when: rule.when.text,
    condition: allOf([...conditions, rule.when.condition]),
    ...rule.do,
    inform: rule.inform ?? null,
    reason: rule.reason,
    explain: rule.explain ?? null,
  };
}

/** A rule that waits matches only while the end of the wait is ahead. */
function waitConditions(wait: WaitLimits | null): Condition[] {
  if (wait === null) return [];
  return [
    conditionOf(`order.minutesSinceChange < ${wait.minutesAfterChange}`),
    conditionOf(`minutesToDeparture > ${wait.minutesBeforeDeparture}`),
  ];
}

function valueAt(data: unknown, path: DocumentPath): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

function asSentence(text: string): string {
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}
