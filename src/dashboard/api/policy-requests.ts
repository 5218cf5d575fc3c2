import { z } from "zod";
import { policyRoleNames } from "../policy-ports.ts";
import { notificationListQuery } from "./requests.ts";

const noteLengthMax = 2_000;

const version = z
  .string("must be a text")
  .regex(/^[0-9a-f]{64}$/, "must be the version of a policy: 64 hexadecimal digits")
  .meta({ description: "As `POST /policies` returned it." });

export const note = z
  .string("must be a text")
  .trim()
  .min(1, "must say why")
  .max(noteLengthMax, `must have at most ${noteLengthMax} characters`)
  .refine((text) => !text.includes("\0"), "must not contain a NUL");

const text = z
  .string("must be a text")
  .refine((value) => !value.includes("\0"), "must not contain a NUL")
  .meta({ description: "The policy, as YAML." });

export const addPolicyBody = z.strictObject({
  text,
  note: note.optional().meta({ description: "What it is for." }),
});

export const checkPolicyBody = z.strictObject({ text });

const source = z.string("must be a text").min(1, "must not be empty").max(200, "is too long");

export const backtestPolicyBody = z
  .strictObject({
    source,
    version: version.optional().meta({ description: "A stored version." }),
    text: text.optional().meta({ description: "A policy that is not stored, as YAML." }),
    days: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(366, "must be at most 366")
      .optional()
      .meta({ description: "The notifications of so many days." }),
    newest: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(50_000, "must be at most 50000")
      .optional()
      .meta({ description: "So many notifications, the newest." }),
  })
  .refine((body) => (body.version === undefined) !== (body.text === undefined), "must have either version or text")
  .refine((body) => (body.days === undefined) !== (body.newest === undefined), "must have either days or newest");

export const activatePolicyBody = z.strictObject({
  source,
  role: z.enum(policyRoleNames, { error: `must be one of ${policyRoleNames.join(", ")}` }),
  version: version.nullable().meta({ description: "Null ends the shadow." }),
  note: note.meta({ description: "Why; kept with it." }),
  replaces: version
    .nullable()
    .optional()
    .meta({ description: "The version that has the role now; another one there responds with 409. Not given: any." }),
});

export const shadowDifferencesQuery = z.strictObject({
  source: z.string("may be given once only").min(1, "must not be empty").default("default"),
  cursor: notificationListQuery.shape.cursor,
  limit: notificationListQuery.shape.limit,
});

export const policyTermsQuery = z.strictObject({ source: shadowDifferencesQuery.shape.source });
