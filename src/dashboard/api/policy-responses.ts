import { z } from "zod";
import { policyRoleNames } from "../ports.ts";
import { id, instant } from "../stored.ts";

const version = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of what the policy says, hexadecimal." });
const by = z.string().meta({ description: "`shipped`, `file`, or `person:` and who." });

const versionMembers = { version, name: z.string(), createdAt: instant, createdBy: by, note: z.string().nullable() };

const policyVersion = z.strictObject(versionMembers).meta({ id: "PolicyVersion" });

const termMembers = {
  source: z.string(),
  role: z.enum(policyRoleNames).meta({ description: "`active` decides; `shadow` is only tried beside it." }),
  version,
  name: z.string(),
  beganAt: instant,
  beganBy: by,
  note: z.string().nullable(),
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
};

const policyTerm = z
  .strictObject(termMembers)
  .meta({ id: "PolicyTerm", description: "The time in which a version has a role for a source." });

const policyRule = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    when: z.string().meta({ description: "The condition, in CEL." }),
    action: z.string(),
    reviewQueue: z.string().nullable(),
    priority: z.int().nullable(),
    wait: z.strictObject({ minutesAfterChange: z.int(), minutesBeforeDeparture: z.int() }).nullable(),
    reason: z.string(),
    explain: z.string().nullable(),
    reads: z.array(z.string()).meta({ description: "The facts that the rule reads." }),
  })
  .meta({ id: "PolicyRule" });

export const policyVersionDetail = z
  .strictObject({
    ...versionMembers,
    text: z.string().meta({ description: "The file, with its comments." }),
    content: z
      .strictObject({
        description: z.string().nullable(),
        mode: z.enum(["act", "observe"]).meta({ description: "`observe` leaves every case to a person." }),
        rules: z.array(policyRule).meta({ description: "The first that matches decides." }),
        laws: z.array(z.strictObject({ id: z.string(), title: z.string(), isOn: z.boolean() })),
      })
      .nullable()
      .meta({ description: "What the text says; null if this program no longer understands it." }),
    terms: z.array(policyTerm).meta({ description: "When it had a role for a source, newest first." }),
  })
  .meta({ id: "PolicyVersionDetail" });

export const sourcePolicies = z
  .strictObject({
    source: z.string(),
    active: policyTerm,
    shadow: z
      .strictObject({
        ...termMembers,
        compared: z.int().meta({ description: "Decisions beside which it was tried." }),
        differing: z.int().meta({ description: "Of these, how many it would have made otherwise." }),
      })
      .nullable(),
    setByFile: z.string().nullable().meta({ description: "The file that decides it; null when people do." }),
  })
  .meta({ id: "SourcePolicies" });

export const policyOverview = z
  .strictObject({ sources: z.array(sourcePolicies), versions: z.array(policyVersion) })
  .meta({ id: "PolicyOverview" });

export const policyTermList = z.strictObject({ items: z.array(policyTerm) }).meta({ id: "PolicyTermList" });

const mistake = z.strictObject({ line: z.int(), column: z.int(), text: z.string() });

export const policyAdded = z
  .strictObject({ version, name: z.string(), warnings: z.array(mistake) })
  .meta({ id: "PolicyAdded" });

export const policyCheck = z
  .strictObject({
    policy: z
      .strictObject({ name: z.string(), version, ruleCount: z.int() })
      .nullable()
      .meta({ description: "Null if it has errors." }),
    findings: z
      .array(
        z.strictObject({
          severity: z.enum(["error", "warning"]),
          line: z.int(),
          column: z.int(),
          rule: z.string().nullable(),
          message: z.string(),
        }),
      )
      .meta({ description: "In the order of the text; the first 100." }),
  })
  .meta({ id: "PolicyCheck" });

const sums = z.array(z.strictObject({ currency: z.string(), amount: z.string() }));
const named = z.strictObject({ version, name: z.string() });

const policyBacktest = z
  .strictObject({
    compared: z.int().meta({ description: "Orders for which both versions decided." }),
    flipped: z.int().meta({ description: "Of these, how many get another action or queue." }),
    unreadable: z.int().meta({ description: "Notifications that could not be read." }),
    manual: z.strictObject({ before: z.int(), after: z.int() }).meta({ description: "Decisions that need a person." }),
    minutesPerReview: z.number(),
    minutesSaved: z.number().meta({ description: "Of people; negative if work is added." }),
    valueAtStake: sums.meta({ description: "Value of the orders whose decision changes." }),
    source: z.string(),
    candidate: named,
    active: named,
    since: instant.nullable(),
    until: instant,
    notifications: z.strictObject({
      evaluated: z.int(),
      bodiesDeleted: z.int().meta({ description: "Of the same period. They cannot be decided again." }),
      isShortened: z.boolean().meta({ description: "The days have more notifications than one backtest evaluates." }),
    }),
    changes: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        count: z.int(),
        valueAtStake: sums,
        examples: z
          .array(
            z.strictObject({
              notificationId: id,
              orderId: z.string(),
              caseId: id.nullable(),
              beforeRule: z.string(),
              afterRule: z.string(),
            }),
          )
          .meta({ description: "At most 100." }),
      }),
    ),
  })
  .meta({ id: "PolicyBacktest" });

export const backtestLine = z
  .discriminatedUnion("state", [
    z.strictObject({ state: z.literal("waiting") }),
    z.strictObject({ state: z.literal("running"), done: z.int(), total: z.int() }),
    z.strictObject({ state: z.literal("done"), backtest: policyBacktest }),
    z.strictObject({ state: z.literal("failed"), code: z.string(), detail: z.string() }),
  ])
  .meta({ id: "BacktestLine", description: "One line of the response." });

const opinion = z
  .strictObject({
    action: z.string(),
    reviewQueue: z.string().nullable(),
    rule: z.string(),
    reason: z.string().nullable().meta({ description: "Code of the first reason." }),
  })
  .meta({ id: "PolicyOpinion", description: "What one version made of a change." });

export const shadowDifferences = z
  .strictObject({
    items: z.array(
      z.strictObject({
        decisionId: id,
        caseId: id,
        orderId: z.string(),
        decidedAt: instant,
        active: opinion,
        shadow: opinion,
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "ShadowDifferences" });

export const decisionReevaluation = z
  .strictObject({
    decisionId: id,
    caseId: id,
    outcome: z.enum(["same", "different", "other-engine", "not-replayable"]),
    because: z.array(z.string()).meta({ description: "What differs, or why it cannot be made again." }),
    stored: opinion,
    replayed: opinion.nullable(),
  })
  .meta({ id: "DecisionReplay" });
