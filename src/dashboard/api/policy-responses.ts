import { z } from "zod";
import { id, instant } from "../case-ports.ts";
import { policyRoleNames } from "../ports.ts";

const version = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of what the policy says, hexadecimal." });
const by = z.string().meta({ description: "`shipped`, `file`, or `person:` and who." });

const versionMembers = { version, name: z.string(), createdAt: instant, createdBy: by, note: z.string().nullable() };

const policyVersion = z.strictObject(versionMembers).meta({ id: "PolicyVersion" });

export const policyVersionDetail = z
  .strictObject({ ...versionMembers, text: z.string().meta({ description: "The file, with its comments." }) })
  .meta({ id: "PolicyVersionDetail" });

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
