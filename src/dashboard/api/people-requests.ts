import { z } from "zod";
import { tokenLifeDaysMax } from "../people/people.ts";
import { userRoleNames } from "../people/role.ts";
import { apiTokenUsername, usernamePattern } from "../people/username.ts";

/** Longer than any password, so that hashing a longer one costs nothing. */
const typedLengthMax = 1_000;

const role = z.enum(userRoleNames, { error: `must be one of ${userRoleNames.join(", ")}` });
const name = (description: string) =>
  z
    .string("must be a text")
    .trim()
    .min(1, "must not be empty")
    .max(100, "is too long")
    .refine((text) => !text.includes("\0"), "must not contain a NUL")
    .meta({ description });

const password = z.string("must be a text").max(typedLengthMax, "is too long").meta({
  description: "At least 12 characters; not made of common words, the user name, years, sequences or repetitions.",
});

const sources = z
  .array(z.string("must be a text"), { error: "must be a list of sources" })
  .min(1, "must name a source; null stands for all")
  .nullable()
  .meta({ description: "The sources whose orders they see; null: all. An admin always sees all." });

const revokeTokens = z.boolean("must be true or false").optional();

const typed = z.string("must be a text").max(typedLengthMax, "is too long");

export const factorCode = typed.meta({ description: "Six digits of the authenticator app, or a recovery code." });

export const signInBody = z.strictObject({
  username: typed,
  password: typed,
  code: factorCode.optional().meta({ description: "Of the second factor, if the user has one." }),
});

export const secondFactorBody = z.strictObject({ currentPassword: typed });

export const changePasswordBody = z.strictObject({
  currentPassword: typed,
  newPassword: password,
  revokeTokens: revokeTokens.meta({ description: "Whether your tokens are revoked as well." }),
});

export const addUserBody = z.strictObject({
  username: z
    .string("must be a text")
    .trim()
    .toLowerCase()
    .regex(usernamePattern, "must be 1 to 64 of a-z, 0-9, '.', '_', '@', '+', '-', beginning with a letter or digit")
    .refine((text) => text !== apiTokenUsername, "must not be 'api', which is the name of API_TOKEN")
    .meta({ description: "Upper and lower case are the same." }),
  displayName: name("As the dashboard shows them; the user name when not given.").optional(),
  role: role.meta({ description: "What they may do." }),
  sources: sources.default(null),
  password: password.optional().meta({
    description: "Made up, and returned once, when not given. Either way they must change it when they first sign in.",
  }),
});

export const editUserBody = z
  .strictObject({
    displayName: name("As the dashboard shows them.").optional(),
    role: role.optional(),
    sources: sources.optional(),
    disabled: z.boolean("must be true or false").optional().meta({ description: "Disabling ends their sessions." }),
    password: password.optional().meta({
      description:
        "Another password ends their sessions; they must change it when they next sign in. Not your own: `POST /session/password` changes that.",
    }),
    revokeTokens: revokeTokens.meta({ description: "Whether all of their tokens are revoked." }),
    subject: z
      .string("must be a text")
      .min(1, "must not be empty")
      .max(255, "is too long")
      .refine((text) => !text.includes("\0"), "must not contain a NUL")
      .optional()
      .meta({
        description:
          "Links the account to this subject of the identity provider: they sign in there from now on, their password is gone and their sessions end.",
      }),
  })
  .refine((body) => Object.keys(body).length > 0, "names nothing to change");

export const addTokenBody = z.strictObject({
  name: name("What uses it."),
  role: role.optional().meta({ description: "The most that it may do; as much as you may when not given." }),
  readOnly: z
    .boolean("must be true or false")
    .optional()
    .meta({ description: "Whether it may only read what its role may read: any other method than GET is refused." }),
  expiresInDays: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(tokenLifeDaysMax, `must be at most ${tokenLifeDaysMax}`)
    .optional()
    .meta({ description: "90 when not given." }),
});

export const tokenListQuery = z.strictObject({
  of: z
    .enum(["me", "everybody"], { error: "must be me or everybody" })
    .default("me")
    .meta({ description: "`everybody` takes the role admin." }),
});
