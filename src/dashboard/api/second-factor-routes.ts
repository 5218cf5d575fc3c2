import type { Request } from "express";
import { z } from "zod";
import type { ClientAddressOf } from "../../http/client-address.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, routes, success } from "../../http/route.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { digestOfSecret } from "../people/bearer-secret.ts";
import type { People } from "../people/people.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { userRoleNames } from "../people/role.ts";
import type { CodeRefusal, FactorOwner, SecondFactors } from "../people/second-factors.ts";
import { done, invalidBody, noSuchOf, route } from "./api-surface.ts";
import type { Identity } from "./identity.ts";
import { factorCode, secondFactorBody } from "./people-requests.ts";
import { currentPasswordWrong, peopleTag, providerAccount, sessionNeeded, signInLocked } from "./session-routes.ts";

type Needs = {
  readonly people: Pick<People, "confirmPassword">;
  readonly secondFactors: SecondFactors;
  readonly cookie: SessionCookie;
  readonly browserCookie: SessionCookie;
  readonly addressOf: ClientAddressOf;
  readonly publicUrl?: string;
};

const personNeeded = problem(
  "This takes a signed-in person, on a page of the dashboard.",
  "people.session_needed",
  "people.token_read_only",
  "people.password_change_needed",
  "people.bad_origin",
);
const ofProvider = "people.provider_account";
const locked = problem("Too many failed attempts. Try again after Retry-After.", "people.sign_in_locked");
const codesLocked = problem("Too many wrong codes. Try again after Retry-After.", "people.too_many_codes");

const codeBody = z.strictObject({ code: factorCode });
const recoveryCodes = z
  .strictObject({
    recoveryCodes: z.array(z.string()).meta({ description: "Each stands for the app once. They are not shown again." }),
  })
  .meta({ id: "RecoveryCodes" });
const factorRoles = z.strictObject({ roles: z.array(z.enum(userRoleNames)) }).meta({ id: "SecondFactorRoles" });

/** `/session/second-factor`: codes of an authenticator app, which signing in takes from then on. */
export const secondFactorRoutes = routes(peopleTag.name, {
  beginSecondFactor: route("POST /session/second-factor", requiredRoles.ownSessions, {
    summary: "Makes the secret for an authenticator app. Needs a session, not a token",
    body: secondFactorBody,
    responses: {
      200: success(
        "Scan it, then send a code of the app to `POST /session/second-factor/proof`.",
        z
          .strictObject({
            secret: z.string().meta({ description: "In base32, for typing." }),
            uri: z.string().meta({ description: "`otpauth://…`, for a QR code." }),
          })
          .meta({ id: "SecondFactorSecret" }),
      ),
      403: personNeeded,
      409: problem(
        "There is a second factor, or the account has no password here.",
        "people.second_factor_exists",
        ofProvider,
      ),
      422: invalidBody("people.current_password_wrong"),
      429: locked,
    },
    async handle({ body, caller, request }, { secondFactors, publicUrl, ...needs }: Needs) {
      const owner = ownerOf(caller);
      if ("status" in owner) return owner;
      const refusal = await refusePassword(body.currentPassword, owner, request, needs);
      if (refusal !== null) return refusal;
      const begun = await secondFactors.begin(owner, hostOf(publicUrl));
      return begun === null ? alreadyThere : { body: begun };
    },
  }),
  proveSecondFactor: route("POST /session/second-factor/proof", requiredRoles.ownSessions, {
    summary:
      "Proves with a code that the app has the secret: signing in takes one from now on; one's other sessions end",
    body: codeBody,
    responses: {
      200: success("Proven.", recoveryCodes),
      403: personNeeded,
      422: invalidBody("people.code_wrong"),
      429: codesLocked,
    },
    async handle({ body, caller, request }, { secondFactors, cookie }: Needs) {
      const owner = ownerOf(caller);
      if ("status" in owner) return owner;
      const sessionToken = cookie.read(request);
      if (sessionToken === null) return notForTokens;
      const outcome = await secondFactors.prove(owner.id, body.code, digestOfSecret(sessionToken));
      return isRefused(outcome) ? codeRefused(outcome) : { body: { recoveryCodes: outcome } };
    },
  }),
  renewRecoveryCodes: route("POST /session/recovery-codes", requiredRoles.ownSessions, {
    summary: "Makes new recovery codes; the old ones do not work any more",
    body: codeBody,
    responses: {
      200: success("Made.", recoveryCodes),
      403: personNeeded,
      422: invalidBody("people.code_wrong"),
      429: codesLocked,
    },
    async handle({ body, caller }, { secondFactors }: Needs) {
      const owner = ownerOf(caller);
      if ("status" in owner) return owner;
      const outcome = await secondFactors.renewRecoveryCodes(owner.id, body.code);
      return isRefused(outcome) ? codeRefused(outcome) : { body: { recoveryCodes: outcome } };
    },
  }),
  removeSecondFactor: route("DELETE /session/second-factor", requiredRoles.ownSessions, {
    summary: "Removes one's own second factor",
    body: secondFactorBody.extend(codeBody.shape),
    responses: {
      204: done,
      403: personNeeded,
      422: invalidBody("people.current_password_wrong", "people.code_wrong"),
      429: problem(
        "Too many wrong passwords or codes. Try again after Retry-After.",
        "people.sign_in_locked",
        "people.too_many_codes",
      ),
    },
    async handle({ body, caller, request }, { secondFactors, ...needs }: Needs) {
      const owner = ownerOf(caller);
      if ("status" in owner) return owner;
      const refusal = await refusePassword(body.currentPassword, owner, request, needs);
      if (refusal !== null) return refusal;
      const outcome = await secondFactors.remove(owner.id, body.code, caller);
      return outcome === "removed" ? {} : codeRefused(outcome);
    },
  }),
});

/** What admins decide about second factors of others. */
export const secondFactorAdminRoutes = routes(peopleTag.name, {
  removeSecondFactorOfUser: route("DELETE /users/{id}/second-factor", requiredRoles.manageUsers, {
    summary: "Removes the second factor of somebody who has lost it; their sessions end",
    responses: {
      204: done,
      404: noSuchOf("second factor", "The user has no second factor.", (id) => `User '${id}' has no second factor.`),
      409: problem("Your own needs a code: DELETE /session/second-factor.", "people.own_account"),
    },
    async handle({ params, caller }, { secondFactors }: Needs) {
      const id = params.id.toLowerCase();
      if (id === caller.userId) {
        return {
          status: 409,
          code: "people.own_account",
          title: "This is your own account",
          detail:
            "Remove your own second factor on the page Your account, with a code. Another admin can do it without.",
        };
      }
      return (await secondFactors.removeOfUser(id, caller)) ? {} : null;
    },
  }),
  listSecondFactorRoles: route("GET /second-factor-roles", requiredRoles.manageUsers, {
    summary: "The roles that must have a second factor",
    responses: { 200: success("The roles.", factorRoles) },
    async handle(_request, { secondFactors }: Needs) {
      return { body: { roles: [...(await secondFactors.listRoles())] } };
    },
  }),
  setSecondFactorRoles: route("PUT /second-factor-roles", requiredRoles.manageUsers, {
    summary: "Says which roles must have a second factor: their users without one can only add it",
    body: factorRoles,
    responses: { 204: done, 422: invalidBody() },
    async handle({ body, caller }, { secondFactors }: Needs) {
      await secondFactors.setRoles(body.roles, caller);
      return {};
    },
  }),
});

const notForTokens = sessionNeeded("A token cannot change a second factor. Sign in and do it there.");

function ownerOf({ userId, username, via, issuer }: Identity): FactorOwner | Problem {
  if (userId === null || via !== "session") return notForTokens;
  if (issuer !== null) return providerAccount("Second factors are handled by your identity provider.");
  return { id: userId, username };
}

/** A session that was left open is not enough. Null if the password is right. */
async function refusePassword(
  password: string,
  owner: FactorOwner,
  request: Request,
  { people, browserCookie, addressOf }: Pick<Needs, "people" | "browserCookie" | "addressOf">,
): Promise<Problem | null> {
  const place = { address: addressOf(request), browserToken: browserCookie.read(request) };
  const check = await people.confirmPassword({ username: owner.username, password, ...place });
  if (check === "right") return null;
  return check === "wrong" ? currentPasswordWrong : signInLocked(check.retryAfterSeconds);
}

function hostOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? "localhost" : new URL(publicUrl).host;
}

const alreadyThere: Problem = {
  status: 409,
  code: "people.second_factor_exists",
  title: "There is a second factor already",
  detail: "Remove it first, with one of its codes.",
};

function isRefused(outcome: readonly string[] | CodeRefusal): outcome is CodeRefusal {
  return outcome === "wrong" || "retryAfterSeconds" in outcome;
}

function codeRefused(refusal: CodeRefusal) {
  if (refusal === "wrong") return wrongCode;
  const seconds = String(refusal.retryAfterSeconds);
  return {
    status: 429,
    code: "people.too_many_codes",
    title: "Too many wrong codes",
    detail: `Too many wrong codes were sent for your account. Try again in ${seconds} s. Nothing was changed.`,
    headers: { "Retry-After": seconds },
  };
}

const wrongCode: Problem = {
  status: 422,
  code: "people.code_wrong",
  title: "The code is wrong",
  detail: "The code is wrong, has expired or was used before. Wait for the next one of the app. Nothing was changed.",
  extensions: { problems: [{ path: "/code", message: "is wrong" }] },
};
