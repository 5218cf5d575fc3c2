import { z } from "zod";
import { id } from "../../kernel/stored.ts";
import { apiToken, sessionOfUser, user } from "../people/ports.ts";

const signedInUser = user.omit({ disabled: true, subject: true, createdAt: true, lastSignInAt: true }).extend({
  id: id.nullable().meta({ description: "Null for API_TOKEN." }),
  role: user.shape.role.meta({ description: "What they may do here: for a token, what the token may." }),
  passwordChangeNeeded: z.boolean().meta({
    description: "Whether they must change their password before anything else; never for a token.",
  }),
  secondFactorNeeded: z.boolean().meta({
    description: "Whether they must add a second factor before anything else; never for a token.",
  }),
});

export const signedInResponse = z.strictObject({ user: signedInUser }).meta({ id: "SignedIn" });

export const sessionResponse = z
  .strictObject({ user: signedInUser, demo: z.boolean().meta({ description: "Whether this is demo mode." }) })
  .meta({ id: "Session" });

export const userList = z.strictObject({ items: z.array(user) }).meta({ id: "UserList" });
export const userResponse = z.strictObject({ user }).meta({ id: "UserResponse" });
export const userAdded = z
  .strictObject({
    user,
    password: z.string().nullable().meta({ description: "The one that was made up; it is not shown again." }),
  })
  .meta({ id: "UserAdded" });

export const sessionList = z.strictObject({ items: z.array(sessionOfUser) }).meta({ id: "SessionList" });
export const sessionsEnded = z
  .strictObject({ ended: z.int().meta({ description: "How many have ended." }) })
  .meta({ id: "SessionsEnded" });

export const tokenList = z.strictObject({ items: z.array(apiToken) }).meta({ id: "ApiTokenList" });
export const tokenAdded = z
  .strictObject({ item: apiToken, token: z.string().meta({ description: "The token itself; it is not shown again." }) })
  .meta({ id: "ApiTokenAdded" });
