import type { Request } from "express";
import passport from "passport";
import { z } from "zod";
import { secret, setting } from "../../config/setting.ts";
import { createSecretVerifier, type SecretVerifier } from "../../kernel/secret-verifier.ts";
import {
  type HeaderStrategy,
  type NetworkOfCaller,
  type RunningStrategy,
  realm,
  settle,
  withoutToken,
} from "../header-strategy.ts";
import { defineWay } from "./way.ts";

/** Whole Authorization values, for some gateways of this family, which send neither a scheme nor base64. */
export const exactAuthorization = defineWay({
  settings: {
    OCN_EXACT_AUTHORIZATION: setting(z.string(), {
      description:
        "One exact Authorization header, or its hash, for a gateway that sends neither a scheme nor base64 to the default source.",
      secret: true,
      endsDemo: true,
    }),
  },
  fromSettings: ({ OCN_EXACT_AUTHORIZATION: value }) => (value === undefined ? undefined : [value]),
  schema: z
    .array(secret)
    .transform((values) => (values.length === 0 ? undefined : { kind: "exact_authorization" as const, values })),
  describeIssue: (_path, { message }) => `OCN_EXACT_AUTHORIZATION: ${message}.`,
  describe: () => "one exact header",
  secretsOf: ({ values }) => values,
  createChecks({ values }, context) {
    const strategy = createExactValueStrategy(createSecretVerifier(values, context), context.networkOf);
    return [{ reads: "header", name: "exact", strategy }];
  },
  securitySchemes: {},
});

function createExactValueStrategy(values: SecretVerifier, networkOf: NetworkOfCaller): HeaderStrategy {
  // Every 401 must carry a challenge, and this way has no registered name.
  const failure = withoutToken(`Exact realm="${realm}"`);

  class ExactValueStrategy extends passport.Strategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const { authorization } = request.headers;
      if (authorization === undefined || authorization === "") return this.fail(failure);
      // Node.js reads header bytes as Latin-1.
      const value = Buffer.from(authorization, "latin1").toString("utf8");
      settle(this, values.verify(value, networkOf(request)), failure);
    }
  }
  return new ExactValueStrategy();
}
