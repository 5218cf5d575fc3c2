import { z } from "zod";
import { failure, id, instant, type Stored, tokenName } from "../kernel/stored.ts";
import { contactAnswers, contactChannels } from "./case-command.ts";
import { contactKinds, effectActions, refundChecks } from "./decision.ts";
import { effectStates } from "./lifecycle.ts";

/* What is recorded of a case, as the store returns it and as pages and commands show it. */

/** What a person said of an effect whose outcome was unknown. */
export const settlement = z.strictObject({
  action: z.enum(effectActions),
  carriedOut: z.boolean(),
  by: z.string(),
  token: tokenName,
  at: instant,
});

export type Settlement = z.infer<typeof settlement>;

export const caseEffect = z.strictObject({
  id,
  decisionId: id,
  action: z.enum(effectActions),
  gdsBookingReferences: z.array(z.string()),
  proposalDigest: z.string(),
  state: z.enum(effectStates),
  plannedAt: instant,
  sentAt: instant.nullable(),
  finishedAt: instant.nullable(),
  settleReads: z.int().meta({ description: "Status reads made to settle an unknown outcome." }),
  results: z.array(z.unknown()).nullable().meta({ description: "The gateway's results, per reference." }),
  error: failure.nullable(),
  settled: settlement
    .nullable()
    .meta({ description: "What a person has said of its unknown outcome; null if nobody has." }),
  refund: z
    .strictObject({
      expected: z
        .looseObject({ amount: z.string(), currency: z.string(), basis: z.string() })
        .nullable()
        .meta({ description: "What it should come to; null when that cannot be told." }),
      answered: z.string().nullable().meta({ description: "Over all references, in a currency that is not stated." }),
      check: z.enum(refundChecks).nullable(),
    })
    .nullable()
    .meta({ description: "Null unless it is a cancel. Amounts are decimal text." }),
});

export type CaseEffect = Stored<typeof caseEffect>;

export const caseEvent = z.strictObject({
  id: z.int().meta({ format: "int64" }),
  at: instant,
  /** noun.verb */
  kind: z.string(),
  actor: z.string(),
  token: tokenName,
  detail: z.record(z.string(), z.unknown()),
});

export type CaseEvent = Stored<typeof caseEvent>;

export const caseApproval = z.strictObject({
  id,
  action: z.enum(effectActions),
  askedBy: z.string(),
  askedAt: instant,
  note: z.string().nullable(),
});

export type CaseApproval = Stored<typeof caseApproval>;

export const caseContact = z
  .strictObject({
    id,
    caseId: id,
    kind: z.enum(contactKinds),
    channel: z.enum(contactChannels),
    answer: z.enum(contactAnswers).nullable(),
    happenedAt: instant,
    recordedAt: instant,
    recordedBy: z.string(),
    note: z.string().nullable(),
    proposalDigest: z.string().nullable().meta({ description: "The proposal that it was about." }),
  })
  .meta({ id: "TravellerContact" });

export type CaseContact = Stored<typeof caseContact>;
