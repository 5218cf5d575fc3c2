import { z } from "zod";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { Actor } from "../kernel/actor.ts";
import { describing, id, instant, type Stored } from "../kernel/stored.ts";
import type { InformChoice } from "../policy/inform.ts";
import type { PolicyAction, PolicyProblem, PolicyRule } from "../policy/policy.ts";
import type { Page, PageRequest } from "./paging-ports.ts";

export const version = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of what the policy says, hexadecimal." });
const by = z.string().meta({ description: "`shipped`, `file`, or `person:` and who." });

/** It is never changed or deleted. */
export const policyVersion = z
  .strictObject({ version, name: z.string(), createdAt: instant, createdBy: by, note: z.string().nullable() })
  .meta({ id: "PolicyVersion" });

export type PolicyVersion = Stored<typeof policyVersion>;

export const storedVersion = z.strictObject({
  ...policyVersion.shape,
  text: z.string().meta({ description: "The file, with its comments." }),
});

export type StoredPolicyVersion = Stored<typeof storedVersion>;

const policyRule = describing<Omit<PolicyRule, "condition"> & { readonly reads: readonly string[] }>(
  z.strictObject({
    name: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    when: z.string().meta({ description: "The condition, in CEL." }),
    action: describing<PolicyAction>(z.string()),
    reviewQueue: z.string().nullable(),
    priority: z.int().nullable(),
    wait: z.strictObject({ minutesAfterChange: z.int(), minutesBeforeDeparture: z.int() }).nullable(),
    inform: describing<InformChoice | null>(z.string().nullable()).meta({
      description:
        "Who informs the traveller once the change is accepted or cancelled: `nobody`, a person by a `task`, or a system of the agency by an `event`; null: as the source says.",
    }),
    reason: z.string(),
    explain: z.string().nullable(),
    reads: z.array(z.string()).meta({ description: "The facts that the rule reads." }),
  }),
).meta({ id: "PolicyRule" });

/** What a policy says, for people. */
const policyContent = z.strictObject({
  description: z.string().nullable(),
  mode: z.enum(["act", "observe"]).meta({ description: "`observe` leaves every case to a person." }),
  rules: z.array(policyRule).meta({ description: "The first that matches decides." }),
  laws: z.array(z.strictObject({ id: z.string(), title: z.string(), isOn: z.boolean() })),
});

export type PolicyContent = Stored<typeof policyContent>;

/** An `active` version decides. The decisions of a `shadow` version are only compared. */
export const policyRoleNames = ["active", "shadow"] as const;
export type PolicyRole = (typeof policyRoleNames)[number];

export const policyTerm = z
  .strictObject({
    source: z.string(),
    role: z.enum(policyRoleNames).meta({ description: "`active` decides; `shadow` is only tried beside it." }),
    ...policyVersion.pick({ version: true, name: true, note: true }).shape,
    beganAt: instant,
    beganBy: by,
    endedAt: instant.nullable(),
    endedBy: z.string().nullable(),
  })
  .meta({ id: "PolicyTerm", description: "The time in which a version has a role for a source." });

export type PolicyTerm = Stored<typeof policyTerm>;

export const policyVersionDetail = z
  .strictObject({
    ...storedVersion.shape,
    content: policyContent
      .nullable()
      .meta({ description: "What the text says; null if this program no longer understands it." }),
    terms: z.array(policyTerm).meta({ description: "When it had a role for a source, newest first." }),
  })
  .meta({ id: "PolicyVersionDetail" });

export type PolicyVersionDetail = Stored<typeof policyVersionDetail>;

const shadowCount = z.strictObject({
  compared: z.int().meta({ description: "Decisions beside which it was tried." }),
  differing: z.int().meta({ description: "Of these, how many it would have made otherwise." }),
});

export type ShadowCount = Stored<typeof shadowCount>;

export const sourcePolicies = z
  .strictObject({
    source: z.string(),
    active: policyTerm,
    shadow: z.strictObject({ ...policyTerm.shape, ...shadowCount.shape }).nullable(),
    setByFile: z.string().nullable().meta({ description: "The file that decides it; null when people do." }),
  })
  .meta({ id: "SourcePolicies" });

export type SourcePolicies = Stored<typeof sourcePolicies>;

const opinion = z
  .strictObject({
    action: z.string(),
    reviewQueue: z.string().nullable(),
    rule: z.string(),
    reason: z.string().nullable().meta({ description: "Code of the first reason." }),
  })
  .meta({ id: "PolicyOpinion", description: "What one version made of a change." });

/** A decision that the shadow version would have made differently. */
export const shadowDifference = z.strictObject({
  decisionId: id,
  caseId: id,
  orderId: z.string(),
  decidedAt: instant,
  active: opinion,
  shadow: opinion,
});

export type ShadowDifference = Stored<typeof shadowDifference>;

/**
 * `other-engine`: another version of the engine made it, so a difference proves nothing. `not-replayable`: its policy is
 * not stored, or it was made by a person or without a status.
 */
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

export type DecisionReevaluation = Stored<typeof decisionReevaluation>;

/** The text has the place in it. */
export const policyMistake = z.strictObject({ line: z.int(), column: z.int(), text: z.string() });

export type PolicyMistake = Stored<typeof policyMistake>;

export interface PolicyFinding extends Omit<PolicyProblem, "source" | "rule"> {
  readonly severity: "error" | "warning";
  readonly rule: string | null;
}

const policyFinding = describing<PolicyFinding>(
  z.strictObject({
    severity: z.enum(["error", "warning"]),
    line: z.int(),
    column: z.int(),
    rule: z.string().nullable(),
    message: z.string(),
  }),
);

/** What a check says of a policy that is being written. */
export const policyCheck = z
  .strictObject({
    policy: z
      .strictObject({ name: z.string(), version, ruleCount: z.int() })
      .nullable()
      .meta({ description: "Null if it has errors." }),
    findings: z.array(policyFinding).meta({ description: "In the order of the text; the first 100." }),
  })
  .meta({ id: "PolicyCheck" });

export type PolicyCheck = Stored<typeof policyCheck>;

export interface PolicyActivation extends Actor, Pick<PolicyTerm, "source" | "role"> {
  /** Null ends the shadow. */
  readonly version: string | null;
  /** The version that the user saw in this role. If it is not given, whatever is there is replaced. */
  readonly replaces?: string | null | undefined;
  readonly note: string;
}

export type ActivationOutcome =
  | { readonly outcome: "activated" }
  | { readonly outcome: "no-such-source" }
  | { readonly outcome: "no-such-version"; readonly version: string }
  /** Another version has the role than `replaces`. */
  | { readonly outcome: "conflict"; readonly current: string | null }
  | { readonly outcome: "refused"; readonly code: string; readonly message: string };

export type PolicyAddition =
  | { readonly ok: true; readonly version: string; readonly name: string; readonly warnings: readonly PolicyMistake[] }
  | { readonly ok: false; readonly problems: readonly PolicyMistake[] };

export interface Policies {
  /** The newest 200 versions, newest first. Hides those that only ever had a role for sources that are not visible. */
  listVersions(visible: VisibleSources): Promise<readonly PolicyVersion[]>;
  /** Null if there is none, or it is hidden as in the list. */
  readVersion(version: string, visible: VisibleSources): Promise<PolicyVersionDetail | null>;
  /** Checks a text as if it was added. */
  check(text: string): PolicyCheck;
  listSources(visible: VisibleSources): Promise<readonly SourcePolicies[]>;
  /** The newest 200 terms of a source, newest first. */
  listTerms(source: string): Promise<readonly PolicyTerm[]>;
  /** Checks and stores a policy without activating it. Storing it again changes nothing. */
  addVersion(addition: Actor & { readonly text: string; readonly note: string | null }): Promise<PolicyAddition>;
  activate(activation: PolicyActivation): Promise<ActivationOutcome>;
  /** Lists where the present shadow version differs, newest first. */
  listDifferences(source: string, page: PageRequest): Promise<Page<ShadowDifference>>;
  /** From the stored input of the decision; null if there is no such decision. */
  reevaluate(decisionId: string, visible: VisibleSources): Promise<DecisionReevaluation | null>;
}
