import { z } from "zod";
import {
  connectionTimeNames,
  connectionTimeOverrideNames,
  connectionTimeSettingsSchema,
} from "../itinerary/connection-time-settings.ts";
import { defaultConnectionTimes, toConnectionTimes } from "../itinerary/connection-times.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { compileCondition, isVariableName, placeholderPattern, variableNames } from "./condition.ts";
import { nearestName } from "./nearest-name.ts";
import {
  defaultReviewPriority,
  defaultReviewQueue,
  defaultRuleName,
  evaluationReasonCodes,
  type Policy,
  type PolicyProblem,
  type PolicyRule,
  type RuleAction,
} from "./policy.ts";
import { type DocumentPath, type PolicyDocument, readPolicyDocument, type TextPosition } from "./policy-document.ts";

export type LoadPolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/**
 * Reads a policy from YAML and checks all of it: shape, names, types of every condition. Reports every problem that it
 * can find at once, in the order of the text.
 *
 * @param text the file's content; reading the file is the caller's part.
 * @param sourceName what problems call the text: a file name.
 */
export function loadPolicy(text: string, sourceName: string): LoadPolicyResult {
  const read = readPolicyDocument(text);
  if (!read.ok) return { ok: false, problems: read.problems.map((problem) => ({ source: sourceName, ...problem })) };
  const { document } = read;

  const checked = policySchema.safeParse(document.data);
  const found = [
    ...(checked.success ? [] : checked.error.issues.flatMap((issue) => describeIssue(issue, document))),
    ...findRepeatedNames(document),
  ];
  if (!checked.success || found.length > 0) {
    const problems = found.map((problem) => toPolicyProblem(problem, document, sourceName));
    return { ok: false, problems: problems.sort(inOrder) };
  }
  return { ok: true, policy: toPolicy(checked.data) };
}

/** One problem as a line: `policy.yaml:12:9: rule 'small-retiming': There is no fact ...`. */
export function formatPolicyProblem({ source, line, column, rule, message }: PolicyProblem): string {
  const about = rule === undefined ? "" : `rule '${rule}': `;
  return `${source}:${line}:${column}: ${about}${message}`;
}

/** More rules than anyone can oversee; bounds the work for one change. */
const ruleCountMax = 200;

/** In characters. Ten lines of conditions stay far below it. */
const conditionLengthMax = 4_000;

const actionNames = ["accept", "review", "wait", "none"] as const satisfies readonly RuleAction[];

const code = (key: string) => {
  const error = `'${key}' must be lower-case words joined by hyphens, such as small-retiming, of at most 64 characters`;
  return z
    .string(error)
    .max(64, error)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, error);
};

const sentence = (key: string) => {
  const error = `'${key}' must be text of 1 to 1000 characters`;
  return z
    .string(error)
    .max(1_000, error)
    .regex(/\S/, error)
    .superRefine((text, context) => {
      for (const match of text.matchAll(placeholderPattern)) {
        const name = match[1] ?? "";
        if (isVariableName(name)) continue;
        const message = `{${name}} names no fact.${suggest(name, variableNames)} All facts are listed in docs/facts.md`;
        context.addIssue({ code: "custom", message, params: { offset: match.index } });
      }
    });
};

const conditionSchema = z
  // YAML reads `when: true` as a truth value; it is the condition that always holds.
  .union([z.string().min(1).max(conditionLengthMax), z.boolean().transform(String)], {
    error: `'when' must be a condition of 1 to ${conditionLengthMax} characters, such as departureLaterMinutes <= 30`,
  })
  .transform((text, context) => {
    const compiled = compileCondition(text);
    if (compiled.ok) return { text, condition: compiled.condition };
    for (const { offset, message } of compiled.problems) {
      context.addIssue({ code: "custom", message, params: { offset } });
    }
    return z.NEVER;
  });

const priorityError = "'priority' must be a whole number from 0 (most urgent) to 9";

const reviewSchema = z.strictObject(
  {
    queue: code("queue").default(defaultReviewQueue),
    priority: z.int(priorityError).min(0, priorityError).max(9, priorityError).default(defaultReviewPriority),
  },
  "'review' must hold 'queue', 'priority' or both; or write do: review",
);

/** What `do` means, once its short forms are written out. */
type RuleEffect = Pick<PolicyRule, "action" | "reviewQueue" | "priority">;

const effectSchema = z.unknown().transform((written, context): RuleEffect => {
  const refuse = (message: string): never => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (written === undefined) return refuse(`write one of ${actionNames.join(", ")}`);
  if (namesCancel(written)) {
    return refuse("'do' must not be cancel: only a person cancels. Write do: review, and cancel from the case");
  }
  if (typeof written === "string") {
    const action = actionNames.find((name) => name === written);
    if (action === undefined) return refuse(describeUnknownAction(written));
    return action === "review"
      ? { action, reviewQueue: defaultReviewQueue, priority: defaultReviewPriority }
      : { action, reviewQueue: null, priority: null };
  }
  const members = isRecord(written) ? Object.keys(written) : [];
  if (!isRecord(written) || members.length !== 1 || members[0] !== "review") {
    return refuse(`'do' must be one of ${actionNames.join(", ")}, or { review: { queue: agent, priority: 3 } }`);
  }
  const review = reviewSchema.safeParse(written["review"]);
  if (review.success) return { action: "review", reviewQueue: review.data.queue, priority: review.data.priority };
  for (const issue of review.error.issues) {
    context.addIssue({ ...issue, path: ["review", ...issue.path] });
  }
  return z.NEVER;
});

const reservedReasons: readonly string[] = Object.values(evaluationReasonCodes);

const ruleSchema = z.strictObject(
  {
    name: code("name").refine((name) => name !== defaultRuleName, {
      error: `the name '${defaultRuleName}' stands for "no rule matched". Choose another`,
    }),
    description: sentence("description").optional(),
    enabled: z.boolean("'enabled' must be true or false").default(true),
    when: conditionSchema,
    do: effectSchema,
    reason: code("reason").refine((reason) => !reservedReasons.includes(reason), {
      error: `the reasons ${reservedReasons.join(", ")} are given by evaluation itself. Choose another`,
    }),
    explain: sentence("explain").optional(),
  },
  "a rule must hold 'name', 'when', 'do' and 'reason'",
);

const settingsSchema = z.strictObject(
  { connectionTimes: connectionTimeSettingsSchema.optional() },
  "'settings' must hold 'connectionTimes'",
);

const policySchema = z.strictObject(
  {
    version: z.literal(1, "'version' must be 1, the only version of the policy format"),
    name: code("name"),
    settings: settingsSchema.optional(),
    default: z.literal("review", "'default' must be review: what no rule decides, a person decides").optional(),
    rules: z
      .array(ruleSchema, "'rules' must be a list; start each rule with - name:")
      .min(1, "'rules' must hold at least one rule")
      .max(ruleCountMax, `'rules' must hold at most ${ruleCountMax} rules`),
  },
  "a policy must hold 'version', 'name' and 'rules'",
);

const policyKeys = Object.keys(policySchema.shape);
const ruleKeys = Object.keys(ruleSchema.shape);
const reviewKeys = Object.keys(reviewSchema.shape);
const settingsKeys = Object.keys(settingsSchema.shape);

/** A problem before it has its rule's name. */
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

function describeIssue(issue: z.core.$ZodIssue, document: PolicyDocument): LocatedProblem[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") {
    const allowed = keysAllowedAt(path);
    return issue.keys.map((key) => ({
      path,
      position: document.positionOfKey([...path, key]),
      message: `There is no '${key}' here.${suggest(key, allowed)} There are ${allowed.join(", ")}.`,
    }));
  }
  const last = path.at(-1);
  const isMissing = last !== undefined && valueAt(document.data, path) === undefined;
  const message = isMissing ? `'${last}' is missing: ${issue.message.replace(`'${last}' `, "it ")}` : issue.message;
  return [{ path, position: positionOfIssue(issue, path, document), message: asSentence(message) }];
}

/** Checks that know the character at which a text goes wrong put it into `params.offset`. */
function positionOfIssue(issue: z.core.$ZodIssue, path: DocumentPath, document: PolicyDocument): TextPosition {
  const offset: unknown = issue.code === "custom" ? issue.params?.["offset"] : undefined;
  return typeof offset === "number" ? document.positionInString(path, offset) : document.positionOf(path);
}

function keysAllowedAt(path: DocumentPath): readonly string[] {
  if (path.length === 0) return policyKeys;
  if (path[0] === "settings") {
    return [settingsKeys, connectionTimeNames][path.length - 1] ?? connectionTimeOverrideNames;
  }
  return path.at(-1) === "review" ? reviewKeys : ruleKeys;
}

function describeUnknownAction(written: string): string {
  const nearest = nearestName(written, actionNames);
  const advice = nearest === null ? "" : `. Did you mean '${nearest}'?`;
  return `'do' must be one of ${actionNames.join(", ")}, not '${written}'${advice}`;
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

function toPolicy(written: z.output<typeof policySchema>): Policy {
  const content = written.rules.map(({ when, ...rule }) => ({ ...rule, when: when.text }));
  const connectionTimes = toConnectionTimes(written.settings?.connectionTimes ?? {});
  const version = digestOfValue({
    format: written.version,
    name: written.name,
    rules: content,
    // The defaults are no setting: what they are is kept with each decision.
    connectionTimes: connectionTimes === defaultConnectionTimes ? undefined : connectionTimes.version,
  });
  const rules = written.rules.map(
    (rule): PolicyRule => ({
      name: rule.name,
      description: rule.description ?? null,
      enabled: rule.enabled,
      when: rule.when.text,
      condition: rule.when.condition,
      ...rule.do,
      reason: rule.reason,
      explain: rule.explain ?? null,
    }),
  );
  return { name: written.name, version, connectionTimes, rules };
}

function valueAt(data: unknown, path: DocumentPath): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function namesCancel(written: unknown): boolean {
  return written === "cancel" || (isRecord(written) && Object.hasOwn(written, "cancel"));
}

function suggest(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names);
  return nearest === null ? "" : ` Did you mean '${nearest}'?`;
}

function asSentence(text: string): string {
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}
