import { z } from "zod";
import { secret, setting, wordsIn } from "../../config/setting.ts";
import { createSecretVerifier, type SecretVerifier } from "../../kernel/secret-verifier.ts";
import type { VerifyAccessToken } from "../access-token.ts";
import { defineWay } from "./way.ts";

/** Fixed tokens (RFC 6750). */
export const bearerTokens = defineWay({
  settings: {
    OCN_BEARER_TOKENS: setting(z.string(), {
      description:
        "Bearer tokens that the default source accepts, or their hashes, separated by white space. Several, so that they can be rotated.",
      secret: true,
      endsDemo: true,
    }),
  },
  fromSettings: ({ OCN_BEARER_TOKENS: tokens }) => wordsIn(tokens),
  schema: z
    .array(secret)
    .transform((tokens) => (tokens.length === 0 ? undefined : { kind: "bearer_tokens" as const, tokens })),
  describeIssue: (_path, { message }) => `OCN_BEARER_TOKENS: ${message}.`,
  describe: ({ tokens }) => `Bearer (${tokens.length})`,
  secretsOf: ({ tokens }) => tokens,
  createChecks: ({ tokens }, context) => [
    { reads: "bearer-token", by: "secrets", verify: toTokenVerifier(createSecretVerifier(tokens, context)) },
  ],
  securitySchemes: {
    sourceBearer: {
      type: "http",
      scheme: "bearer",
      description: "A bearer token of the source, or an access token for it.",
    },
  },
});

function toTokenVerifier(tokens: SecretVerifier): VerifyAccessToken {
  return async (token, network) =>
    (await tokens.verify(token, network)) ? { outcome: "accepted" } : { outcome: "invalid", reason: "unknown-token" };
}
