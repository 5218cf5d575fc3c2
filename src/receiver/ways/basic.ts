import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { BasicStrategy as PassportBasicStrategy } from "passport-http";
import { z } from "zod";
import { secret, setting } from "../../config/setting.ts";
import { readBasicCredentials } from "../../http/basic-credentials.ts";
import { createFingerprint } from "../../kernel/fingerprint.ts";
import { createSecretVerifier, type SecretVerifier } from "../../kernel/secret-verifier.ts";
import {
  type HeaderStrategy,
  type NetworkOfCaller,
  neverAsked,
  type RunningStrategy,
  realm,
  settle,
  withoutToken,
} from "../header-strategy.ts";
import { defineWay } from "./way.ts";

/** User name and password (RFC 7617). */
export const basic = defineWay({
  settings: {
    OCN_BASIC_USERNAME: setting(z.string(), {
      description: "User name that the gateway sends with Basic authentication to the default source.",
      endsDemo: true,
    }),
    OCN_BASIC_PASSWORD: setting(z.string(), {
      description: "Its password, or a hash from `skedchange hash-secret`. May hold ':' and any Unicode.",
      secret: true,
      endsDemo: true,
    }),
  },
  fromSettings({ OCN_BASIC_USERNAME: username, OCN_BASIC_PASSWORD: password }) {
    if (username === undefined && password === undefined) return undefined;
    return { username, passwords: password === undefined ? undefined : [password] };
  },
  schema: z
    .strictObject({
      username: z.string().regex(/^[^:]+$/, "must not be empty or hold a colon (RFC 7617)"),
      /** Several while rotating. */
      passwords: z.array(secret).min(1),
    })
    .transform((given) => ({ kind: "basic" as const, ...given })),
  describeIssue: (_path, { code }) =>
    code === "invalid_type"
      ? "OCN_BASIC_USERNAME and OCN_BASIC_PASSWORD go together. Set both or neither."
      : "OCN_BASIC_USERNAME holds a colon, which Basic authentication does not allow (RFC 7617). Choose another name.",
  describe: () => "Basic",
  secretsOf: ({ passwords }) => passwords,
  createChecks({ username, passwords }, context) {
    const strategy = createBasicStrategy(username, createSecretVerifier(passwords, context), context.networkOf);
    return [{ reads: "header", name: "basic", strategy }];
  },
  securitySchemes: {
    sourceBasic: { type: "http", scheme: "basic", description: "The user name and password of the source." },
  },
});

/**
 * Replaces the `authenticate` that splits at the second colon, skips empty passwords and responds with a bare 400 (RFC 7617).
 */
function createBasicStrategy(username: string, passwords: SecretVerifier, networkOf: NetworkOfCaller): HeaderStrategy {
  const isUsername = createTextMatcher(username);
  const decoy = randomBytes(16).toString("base64url");
  const failure = withoutToken(`Basic realm="${realm}", charset="UTF-8"`);

  class BasicStrategy extends PassportBasicStrategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = readBasicCredentials(request.headers.authorization);
      if (credentials === null) return this.fail(failure);
      // With another name, a password that cannot be right takes its place, so that timing reveals neither of them.
      const { username: name, password } = credentials;
      const matches = passwords.verify(isUsername(name) ? password : decoy + password, networkOf(request));
      settle(this, matches, failure);
    }
  }
  return new BasicStrategy({ realm }, neverAsked);
}

/** Compares texts of any length in constant time. */
function createTextMatcher(expected: string): (text: string) => boolean {
  const fingerprintOf = createFingerprint();
  const expectedFingerprint = fingerprintOf(expected);
  return (text) => timingSafeEqual(fingerprintOf(text), expectedFingerprint);
}
