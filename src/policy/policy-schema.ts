import { z } from "zod";
import { connectionTimeSettingsSchema } from "../itinerary/connection-time-settings.ts";
import { nearestName } from "../kernel/nearest-name.ts";
import { isRecord } from "../kernel/record.ts";
import { type Condition, createConditionCompiler, type ThresholdConditions } from "./condition.ts";
import { isVariableName, placeholderPattern, variableNames } from "./condition-names.ts";
import { informChoices } from "./inform.ts";
import {
  type AutomaticLimits,
  defaultReviewPriority,
  defaultReviewQueue,
  defaultRuleName,
  evaluationReasonCodes,
  type PolicyAction,
  type PolicyRule,
  protectedPassengerNames,
  type WaitLimits,
} from "./policy.ts";
import { calendarDate, scopeSchema } from "./rule-scope.ts";
import { thresholdsSchema } from "./thresholds.ts";

/** Bounds the work for one change. */
export const ruleCountMax = 200;

/** In characters. Ten lines of conditions stay far below it. */
const conditionLengthMax = 4_000;

const actionNames = [
  "accept",
  "cancel",
  "review",
  "ask-traveller",
  "wait",
  "none",
] as const satisfies readonly PolicyAction[];

const code = (key: string) => {
  const error = `'${key}' must be lower-case words joined by hyphens, such as small-retiming, of at most 64 characters`;
  return z
    .string(error)
    .max(64, error)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, error);
};

/** @param thresholdNames names allowed after `within.` in braces. */
const sentence = (key: string, thresholdNames: readonly string[] = []) => {
  const error = `'${key}' must be text of 1 to 1000 characters`;
  return z
    .string(error)
    .max(1_000, error)
    .regex(/\S/, error)
    .superRefine((text, context) => {
      for (const match of text.matchAll(placeholderPattern)) {
        const name = match[1] ?? "";
        if (isVariableName(name) || thresholdNames.some((threshold) => name === `within.${threshold}`)) continue;
        const message = `{${name}} names no fact.${suggest(name, variableNames)} All facts are listed in docs/facts.md`;
        context.addIssue({ code: "custom", message, params: { offset: match.index } });
      }
    });
};

const conditionTextSchema = z
  // YAML reads `when: true` as a boolean; it is the condition that always holds.
  .union([z.string().min(1).max(conditionLengthMax), z.boolean().transform(String)], {
    error: `'when' must be a condition of 1 to ${conditionLengthMax} characters, such as departureLaterMinutes <= 30`,
  });

const conditionSchema = (thresholds: ThresholdConditions) => {
  const compile = createConditionCompiler(thresholds);
  return conditionTextSchema.transform((text, context): { text: string; condition: Condition } => {
    const compiled = compile(text);
    if (compiled.ok) return { text, condition: compiled.condition };
    for (const { offset, message } of compiled.problems) {
      context.addIssue({ code: "custom", message, params: { offset } });
    }
    return z.NEVER;
  });
};

const priorityError = "'priority' must be a whole number from 0 (most urgent) to 9";

const reviewSchema = z.strictObject(
  {
    queue: code("queue").default(defaultReviewQueue),
    priority: z.int(priorityError).min(0, priorityError).max(9, priorityError).default(defaultReviewPriority),
  },
  "'review' must hold 'queue', 'priority' or both; or write do: review",
);

const hours = (name: string) => {
  const error = `'${name}' must be a whole number of hours from 0 to 2160`;
  return z.int(error).min(0, error).max(2_160, error);
};

/** Since the change was first seen, and before departure; the earlier end counts. */
const waitSchema = z.strictObject(
  {
    hours: hours("hours").min(1, "'hours' must be at least 1").default(24),
    untilHoursBeforeDeparture: hours("untilHoursBeforeDeparture").default(168),
  },
  "'wait' must hold 'hours', 'untilHoursBeforeDeparture' or both; or write do: wait",
);

type RuleEffect = Pick<PolicyRule, "action" | "reviewQueue" | "priority" | "wait">;

const effectSchema = (coolDown: z.output<typeof waitSchema>) =>
  z.unknown().transform((written, context): RuleEffect => {
    const refuse = (message: string): never => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (written === undefined) return refuse(`write one of ${actionNames.join(", ")}`);
    if (typeof written === "string") {
      const action = actionNames.find((name) => name === written);
      if (action === undefined) return refuse(describeUnknownAction(written));
      return {
        action,
        reviewQueue: action === "review" ? defaultReviewQueue : null,
        priority: action === "review" ? defaultReviewPriority : null,
        wait: action === "wait" ? toWaitLimits(coolDown) : null,
      };
    }
    const [kind, ...others] = isRecord(written) ? Object.keys(written) : [];
    if (!isRecord(written) || others.length > 0 || (kind !== "review" && kind !== "wait")) {
      return refuse(
        `'do' must be one of ${actionNames.join(", ")}, or { review: { queue: agent, priority: 3 } }, or { wait: { hours: 24 } }`,
      );
    }
    if (kind === "review") {
      const review = reviewSchema.safeParse(written["review"]);
      if (review.success) {
        return { action: "review", reviewQueue: review.data.queue, priority: review.data.priority, wait: null };
      }
      for (const issue of review.error.issues) context.addIssue({ ...issue, path: [kind, ...issue.path] });
      return z.NEVER;
    }
    const wait = waitSchema.safeParse(written["wait"]);
    if (wait.success) {
      return { action: "wait", reviewQueue: null, priority: null, wait: toWaitLimits(wait.data) };
    }
    for (const issue of wait.error.issues) context.addIssue({ ...issue, path: [kind, ...issue.path] });
    return z.NEVER;
  });

function toWaitLimits(written: z.output<typeof waitSchema>): WaitLimits {
  return {
    minutesAfterChange: written.hours * 60,
    minutesBeforeDeparture: written.untilHoursBeforeDeparture * 60,
  };
}

const reservedReasons: readonly string[] = Object.values(evaluationReasonCodes);

const ruleSchema = (thresholds: ThresholdConditions, coolDown: z.output<typeof waitSchema>) =>
  z.strictObject(
    {
      name: code("name").refine((name) => name !== defaultRuleName, {
        error: `the name '${defaultRuleName}' stands for "no rule matched". Choose another`,
      }),
      description: sentence("description").optional(),
      enabled: z.boolean("'enabled' must be true or false").default(true),
      scope: scopeSchema.optional(),
      validFrom: calendarDate("validFrom").optional(),
      validUntil: calendarDate("validUntil").optional(),
      when: conditionSchema(thresholds),
      do: effectSchema(coolDown),
      inform: z.enum(informChoices, `'inform' must be one of ${informChoices.join(", ")}`).optional(),
      reason: code("reason").refine((reason) => !reservedReasons.includes(reason), {
        error: `the reasons ${reservedReasons.join(", ")} are given by evaluation itself. Choose another`,
      }),
      explain: sentence("explain", [...thresholds.keys()]).optional(),
    },
    "a rule must hold 'name', 'when', 'do' and 'reason'",
  );

const valueLimitError = "'orderValue' must hold currencies with the largest amount, such as EUR: 2000";

const settingsSchema = z.strictObject(
  {
    connectionTimes: connectionTimeSettingsSchema.optional(),
    thresholds: thresholdsSchema.optional(),
    protectedPassengers: z
      .array(
        z.enum(protectedPassengerNames),
        `'protectedPassengers' must be a list of ${protectedPassengerNames.join(", ")}`,
      )
      .optional(),
    orderValue: z
      .record(z.string().regex(/^[A-Z]{3}$/, valueLimitError), z.number().min(0).max(100_000_000), valueLimitError)
      .optional(),
    coolDown: waitSchema.optional(),
    legalPresets: z
      .record(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.boolean(), {
        error: "'legalPresets' must hold presets with true or false, such as br-anac-400: true",
      })
      .optional(),
  },
  "'settings' must hold connectionTimes, thresholds, protectedPassengers, orderValue, coolDown or legalPresets",
);

export function createPolicySchema(thresholds: ThresholdConditions, coolDown: z.output<typeof waitSchema>) {
  return z.strictObject(
    {
      version: z.literal(1, "'version' must be 1, the only version of the policy format"),
      name: code("name"),
      description: sentence("description").optional(),
      mode: z.enum(["act", "observe"], "'mode' must be act or observe").default("act"),
      settings: settingsSchema.optional(),
      default: z.literal("review", "'default' must be review: what no rule decides, a person decides").optional(),
      rules: z
        .array(ruleSchema(thresholds, coolDown), "'rules' must be a list; start each rule with - name:")
        .min(1, "'rules' must hold at least one rule")
        .max(ruleCountMax, `'rules' must hold at most ${ruleCountMax} rules`),
    },
    "a policy must hold 'version', 'name' and 'rules'",
  );
}

export type WrittenPolicy = z.output<ReturnType<typeof createPolicySchema>>;
export type WrittenRule = WrittenPolicy["rules"][number];

export const defaultCoolDown: z.output<typeof waitSchema> = waitSchema.parse({});

/** Returns the cool-down of `do: wait`, or the default if it is invalid, which the schema reports. */
export function readCoolDown(settings: unknown): z.output<typeof waitSchema> {
  const read = waitSchema.safeParse(isRecord(settings) ? settings["coolDown"] : undefined);
  return read.success ? read.data : defaultCoolDown;
}

const anyPolicySchema = createPolicySchema(new Map(), defaultCoolDown);

export const keysOf = {
  policy: Object.keys(anyPolicySchema.shape),
  rule: Object.keys(anyPolicySchema.shape.rules.element.shape),
  review: Object.keys(reviewSchema.shape),
  wait: Object.keys(waitSchema.shape),
  settings: Object.keys(settingsSchema.shape),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export function toLimits(settings: WrittenPolicy["settings"]): AutomaticLimits {
  return {
    protectedPassengers: settings?.protectedPassengers ?? [],
    orderValue: settings?.orderValue ?? null,
  };
}

/** Returns the JSON Schema (draft 2020-12) of a policy file, for editors. Loading the policy checks the conditions. */
export function policyJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(anyPolicySchema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema, path }) => {
      if (path.at(-1) === "do" || path.at(-2) === "do") Object.assign(jsonSchema, effectJsonSchema());
      // `do` is checked by hand, so the schema does not show that it is required.
      if (jsonSchema.properties?.["do"] !== undefined) jsonSchema.required = [...(jsonSchema.required ?? []), "do"];
    },
  });
  return {
    ...schema,
    $id: "https://skedchange.example/policy.schema.json",
    title: "Skedchange policy",
    description: "Rules by which schedule changes are decided; see docs/policy.md.",
  };
}

function effectJsonSchema(): object {
  const part = (schema: z.ZodType) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return json;
  };
  return {
    oneOf: [
      { enum: actionNames },
      { type: "object", required: ["review"], additionalProperties: false, properties: { review: part(reviewSchema) } },
      { type: "object", required: ["wait"], additionalProperties: false, properties: { wait: part(waitSchema) } },
    ],
  };
}

function describeUnknownAction(written: string): string {
  const nearest = nearestName(written, actionNames);
  const advice = nearest === null ? "" : `. Did you mean '${nearest}'?`;
  return `'do' must be one of ${actionNames.join(", ")}, not '${written}'${advice}`;
}

export function suggest(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names);
  return nearest === null ? "" : ` Did you mean '${nearest}'?`;
}
