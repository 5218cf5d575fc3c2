import { z } from "zod";
import { userRoleNames } from "../people/role.ts";
import { id, instant } from "../stored.ts";

const role = z.enum(userRoleNames).meta({ id: "UserRole", description: "Each may do what the ones before it may." });

const passwordChangeNeeded = z.boolean();

const hasSecondFactor = z.boolean();

const issuer = z.string().nullable().meta({
  description: "The identity provider that the account comes from; null for a local account, which has a password.",
});

const sources = z.array(z.string()).nullable().meta({
  description:
    "The sources whose orders they see; null: all. None: an admin must give some to this account of an identity provider.",
});

const signedInUser = z.strictObject({
  id: id.nullable().meta({ description: "Null for API_TOKEN." }),
  username: z.string(),
  displayName: z.string(),
  role: role.meta({ description: "What they may do here: for a token, what the token may." }),
  sources,
  passwordChangeNeeded: passwordChangeNeeded.meta({
    description: "Whether they must change their password before anything else; never for a token.",
  }),
  hasSecondFactor: hasSecondFactor.meta({ description: "Whether signing in takes a code of an app." }),
  secondFactorNeeded: z.boolean().meta({
    description: "Whether they must add a second factor before anything else; never for a token.",
  }),
  issuer,
});

export const signedInResponse = z.strictObject({ user: signedInUser }).meta({ id: "SignedIn" });

export const sessionResponse = z
  .strictObject({ user: signedInUser, demo: z.boolean().meta({ description: "Whether this is demo mode." }) })
  .meta({ id: "Session" });

const user = z
  .strictObject({
    id,
    username: z.string(),
    displayName: z.string(),
    role,
    sources,
    disabled: z.boolean(),
    passwordChangeNeeded: passwordChangeNeeded.meta({
      description: "Whether somebody else has set their password, and they have not changed it since.",
    }),
    hasSecondFactor: hasSecondFactor.meta({ description: "Whether their sign-in takes a code of an app." }),
    secondFactorNeeded: z.boolean().meta({ description: "Whether their role must have one, and they have none yet." }),
    issuer,
    subject: z.string().nullable().meta({ description: "Names the account at the identity provider." }),
    createdAt: instant,
    lastSignInAt: instant.nullable(),
  })
  .meta({ id: "User" });

export const userList = z.strictObject({ items: z.array(user) }).meta({ id: "UserList" });
export const userResponse = z.strictObject({ user }).meta({ id: "UserResponse" });
export const userAdded = z
  .strictObject({
    user,
    password: z.string().nullable().meta({ description: "The one that was made up; it is not shown again." }),
  })
  .meta({ id: "UserAdded" });

const session = z
  .strictObject({
    id,
    startedAt: instant,
    lastUsedAt: instant.meta({ description: "To the minute." }),
    endsAt: instant.meta({ description: "When it ends however much it is used." }),
    address: z.string().nullable().meta({ description: "From where it was started; null if that was not stored yet." }),
    browser: z.string().nullable().meta({ description: "`Firefox on Windows`; null if it is not known." }),
    current: z.boolean().meta({ description: "Whether it is the one that is asking." }),
  })
  .meta({ id: "SessionOfUser" });

export const sessionList = z.strictObject({ items: z.array(session) }).meta({ id: "SessionList" });
export const sessionsEnded = z
  .strictObject({ ended: z.int().meta({ description: "How many have ended." }) })
  .meta({ id: "SessionsEnded" });

const token = z
  .strictObject({
    id,
    userId: id,
    username: z.string(),
    name: z.string(),
    role,
    readOnly: z.boolean(),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: "ApiToken" });

export const tokenList = z.strictObject({ items: z.array(token) }).meta({ id: "ApiTokenList" });
export const tokenAdded = z
  .strictObject({ item: token, token: z.string().meta({ description: "The token itself; it is not shown again." }) })
  .meta({ id: "ApiTokenAdded" });
