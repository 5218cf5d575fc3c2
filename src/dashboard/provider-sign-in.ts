import { randomBytes } from "node:crypto";
import { type NextFunction, type Request, type Response, Router } from "express";
import helmet from "helmet";
import { callbackPath } from "../config/identity-provider.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { html } from "../http/html.ts";
import { refuseMethod } from "../http/mount-routes.ts";
import type { Problem } from "../http/problem-document.ts";
import { createSessionCookie, type SessionCookie } from "../http/session-cookie.ts";
import { AppError, assertNever, codeOf, messageOf } from "../kernel/app-error.ts";
import { createCheckQueue, tooManyCandidates } from "../kernel/check-queue.ts";
import type { Clock } from "../kernel/clock.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import { networkOf } from "../kernel/networks.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { IdentityProvider } from "./people/identity-provider.ts";
import { deviceKnownMs } from "./people/lockout.ts";
import { createPendingSignIns, pendingSignInSeconds } from "./people/pending-sign-in.ts";
import { type People, type ProviderSignInOutcome, sessionLifeMs } from "./people/people.ts";
import type { VouchedUser } from "./people/ports.ts";
import { describeUserAgent } from "./people/user-agent.ts";

export interface ProviderSignInOptions {
  readonly identityProvider: IdentityProvider;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly people: Pick<People, "signInFromProvider" | "browserIdOf">;
  readonly cookie: SessionCookie;
  readonly browserCookie: SessionCookie;
  /** Whether people reach the dashboard by https. */
  readonly secure: boolean;
  readonly addressOf: ClientAddressOf;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const providerSignInPath = "/oidc/sign-in";

/**
 * Sends browsers to the identity provider, and signs in those that come back. The session cookie is `SameSite=Strict`:
 * browsers do not send it with the redirect that follows, but with what the page then asks the API.
 */
export function createProviderSignIn(options: ProviderSignInOptions): Router {
  const { identityProvider, people, cookie, browserCookie, secure, addressOf, logger } = options;
  const questions = createCheckQueue({ running: 4, waiting: 64, waitMs: 10_000 });
  const pendingCookie = createSessionCookie({ name: "skedchange_sign_in", sameSite: "Lax", secure });
  const pendingSignIns = createPendingSignIns(options.encryptionKeys, options.clock);

  async function begin(request: Request, response: Response): Promise<void> {
    assertOpenedByPerson(request);
    const { url, pending } = await inTurn(request, () => identityProvider.begin());
    const carried = await pendingSignIns.encrypt({ ...pending, to: ownPath(request.query["to"]) });
    pendingCookie.write(response, carried, pendingSignInSeconds);
    response.redirect(303, url.href);
  }

  async function finish(request: Request, response: Response): Promise<void> {
    assertOpenedByPerson(request);
    const carried = pendingCookie.read(request);
    const pending = carried === null ? null : await pendingSignIns.decrypt(carried);
    // Leaves the cookie, which may be that of a sign-in in another tab.
    if (pending === null || request.query["state"] !== pending.state) {
      throw new AppError("people.sign_in_expired", "The browser has no sign-in of this state.");
    }
    pendingCookie.clear(response);
    const { search } = new URL(request.originalUrl, "http://own");
    const vouched = await inTurn(request, () => identityProvider.finish(search, pending));
    const outcome = await people.signInFromProvider({
      ...vouched,
      address: addressOf(request),
      browser: describeUserAgent(request.headers["user-agent"]),
      sessionToken: cookie.read(request),
      browserToken: browserCookie.read(request),
    });
    if (outcome.outcome !== "signed-in") {
      sendProblemPage(response, describeRefusal(outcome.outcome, vouched, identityProvider.name));
      return;
    }
    cookie.write(response, outcome.sessionToken, sessionLifeMs / 1_000);
    if (outcome.browserToken !== null) browserCookie.write(response, outcome.browserToken, deviceKnownMs / 1_000);
    response.redirect(303, pending.to);
  }

  /** Otherwise images on a page of another site could use up the sign-ins of a whole network. */
  function assertOpenedByPerson(request: Request): void {
    const destination = request.headers["sec-fetch-dest"];
    if (destination === undefined || destination === "document") return;
    throw new AppError("people.sign_in_embedded", "The request comes from within another page.");
  }

  /** A few at a time ask the provider: browsers that are known first, then networks in turn. */
  function inTurn<Result>(request: Request, ask: () => Promise<Result>): Promise<Result> {
    const browserId = people.browserIdOf(browserCookie.read(request));
    const caller = browserId ?? networkOf(addressOf(request));
    return questions.run(caller, ask, () => browserId !== null);
  }

  const router = Router();
  const paths = [providerSignInPath, callbackPath];
  router.use(paths, (request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    response.locals["styleNonce"] = randomBytes(16).toString("base64");
    // A HEAD would use the code up.
    if (request.method === "GET") next();
    else refuseMethod("GET")(request, response, next);
  });
  router.use(
    paths,
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: [(_request, response) => `'nonce-${nonceOf(response as Response)}'`],
          imgSrc: ["data:"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
  );
  router.get(providerSignInPath, begin);
  router.get(callbackPath, finish);
  router.use(paths, (error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const code = codeOf(error);
    const problem = failures[code];
    const line = { address: addressOf(request), code, reason: messageOf(error) };
    if (problem === undefined) logger.error({ ...line, error }, "people.provider_sign_in_failed");
    else logger.warn(line, "people.provider_sign_in_failed");
    if (problem?.status === 429) response.setHeader("Retry-After", "60");
    sendProblemPage(response, { code, ...(problem ?? unavailable) });
  });
  return router;
}

/** A path of our own, so that nobody can lead people elsewhere by the sign-in. */
export function ownPath(to: unknown): string {
  const base = "http://own.invalid";
  if (typeof to !== "string" || to.length > 500 || !to.startsWith("/") || !URL.canParse(to, base)) return "/";
  const { origin, pathname, search } = new URL(to, base);
  // `/.//other.example` becomes `//other.example`, which is another host.
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}` : "/";
}

interface ProblemPage extends Pick<Problem, "status" | "code" | "title"> {
  /** What happened and what to do, a paragraph each. */
  readonly paragraphs: readonly string[];
  /** For an admin to run. */
  readonly command?: string;
}

const failures: Readonly<Record<string, Omit<ProblemPage, "code">>> = {
  "people.sign_in_embedded": {
    status: 403,
    title: "This page opens by itself only",
    paragraphs: ["Nobody was signed in, because another page asked for it. Open the dashboard and sign in there."],
  },
  "people.sign_in_expired": {
    status: 400,
    title: "The sign-in has expired",
    paragraphs: [
      "It took more than 10 minutes, or began in another browser or tab. Nothing is wrong with your account: sign in again.",
    ],
  },
  [tooManyCandidates]: {
    status: 429,
    title: "Too many attempts",
    paragraphs: ["Too many sign-ins wait for the identity provider. Wait a minute and sign in again."],
  },
  "people.provider_denied": {
    status: 403,
    title: "The identity provider did not let you in",
    paragraphs: [
      "You have cancelled the sign-in there, or it does not allow you to use Skedchange. Sign in again, or ask those who run it.",
    ],
  },
  "people.provider_unavailable": {
    status: 503,
    title: "The identity provider cannot be reached",
    paragraphs: [
      "Try again in a few minutes. Those who have a password of Skedchange can sign in with it meanwhile.",
      "For admins: the log has a line people.provider_sign_in_failed with the reason.",
    ],
  },
  "people.provider_response_invalid": {
    status: 502,
    title: "The sign-in could not be verified",
    paragraphs: [
      "The identity provider sent something that Skedchange does not accept. Sign in again.",
      "If it happens again, tell an admin: the log has a line people.provider_sign_in_failed with the reason.",
    ],
  },
};

const unavailable = {
  status: 503,
  title: "Temporarily unavailable",
  paragraphs: ["Skedchange cannot sign anybody in at the moment. Try again in a few minutes."],
};

function describeRefusal(
  outcome: Exclude<ProviderSignInOutcome["outcome"], "signed-in">,
  { username, identity }: VouchedUser,
  providerName: string,
): ProblemPage {
  switch (outcome) {
    case "no-role":
      return {
        status: 403,
        code: "people.no_role",
        title: "You have no access to Skedchange",
        paragraphs: [
          `${providerName} knows you as ${username}, but none of your groups there has a role in Skedchange.`,
          "Ask those who run it to add you to a group that has one, then sign in again.",
        ],
      };
    case "no-source":
      return {
        status: 403,
        code: "people.no_source",
        title: "You see no source of Skedchange",
        paragraphs: [
          `${providerName} knows you as ${username}, but none of your groups there sees the orders of a source.`,
          "Ask those who run it to add you to a group that does, then sign in again.",
        ],
      };
    case "disabled":
      return {
        status: 403,
        code: "people.user_disabled",
        title: "Your account is disabled",
        paragraphs: ["An admin of Skedchange has disabled your account. Only an admin can enable it again."],
      };
    case "username-taken":
      return {
        status: 409,
        code: "people.username_taken",
        title: "Your user name is taken",
        paragraphs: [
          `Another account of Skedchange has the user name ${username}, and user names are never given to somebody else.`,
          "If that account is yours, ask an admin to link it to this sign-in:",
        ],
        command: `npx skedchange users link ${username} '${identity.subject.replaceAll("'", "'\\''")}'`,
      };
    case "too-many-users":
      return {
        status: 409,
        code: "people.too_many_users",
        title: "There are too many users",
        paragraphs: ["Skedchange has as many accounts as it can have. Tell an admin."],
      };
    default:
      return assertNever(outcome);
  }
}

function sendProblemPage(response: Response, { status, code, title, paragraphs, command }: ProblemPage): void {
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title} · Skedchange</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonceOf(response)}">${{ html: pageStyle }}</style>
  </head>
  <body>
    <main>
      <p class="brand">Skedchange</p>
      <section>
        <h1>${title}</h1>
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
        ${command === undefined ? null : html`<pre>${command}</pre>`}
        <p><a href="/">Back to the sign-in</a></p>
        <p class="quiet">${code}</p>
      </section>
    </main>
  </body>
</html>
`;
  response.status(status).type("html").send(page.html);
}

const pageStyle = `
  :root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
  body { margin: 0; background: light-dark(#f4f6f8, #14181d); color: light-dark(#17212b, #e8edf2); }
  main { max-width: 400px; margin: 9vh auto 48px; padding: 0 16px; }
  section { padding: 4px 20px; background: light-dark(#ffffff, #1b2027); border: 1px solid light-dark(#dde3e9, #303843); }
  h1 { font-size: 18px; line-height: 1.3; }
  a { color: light-dark(#0d5694, #8cc4f2); }
  pre { padding: 12px; white-space: pre-wrap; overflow-wrap: anywhere; background: light-dark(#e9edf1, #2b333d); }
  .brand { font-size: 24px; font-weight: 700; }
  .quiet { color: light-dark(#56636f, #a2afbb); font-size: 12px; }
`;

function nonceOf(response: Response): string {
  return String(response.locals["styleNonce"]);
}
