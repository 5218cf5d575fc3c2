import { z } from "zod";
import { setting, wordsIn } from "../../config/setting.ts";
import { Secret } from "../../kernel/secret.ts";
import { realm } from "../header-strategy.ts";
import { createReadSignature } from "../webhook-signature.ts";
import { defineWay } from "./way.ts";

/** Signatures of Standard Webhooks. */
export const signingSecrets = defineWay({
  settings: {
    OCN_SIGNING_SECRETS: setting(z.string(), {
      description:
        "Secrets of Standard Webhooks (whsec_…) with which the default source may sign instead, separated by white space. Several, so that they can be rotated; hashes are not possible.",
      secret: true,
      endsDemo: true,
    }),
  },
  fromSettings: ({ OCN_SIGNING_SECRETS: secrets }) => wordsIn(secrets),
  schema: z
    .array(
      z
        .string()
        .refine(isSigningSecret, "must be whsec_ and the base64 of 24 to 64 bytes, and not a hash")
        .transform((text) => new Secret(text)),
    )
    .transform((secrets) => (secrets.length === 0 ? undefined : { kind: "signing_secrets" as const, secrets })),
  describeIssue: (_path, { message }) => `OCN_SIGNING_SECRETS: each ${message}.`,
  describe: () => "signatures",
  // They are never sent.
  secretsOf: () => [],
  createChecks: ({ secrets }, { clock }) => [
    {
      reads: "body",
      challenge: `StandardWebhooks realm="${realm}"`,
      readSignature: createReadSignature(secrets, clock),
    },
  ],
  securitySchemes: {
    sourceSignature: {
      type: "apiKey",
      in: "header",
      name: "webhook-signature",
      description: "Standard Webhooks, with the headers webhook-id and webhook-timestamp.",
    },
  },
});

function isSigningSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? "";
  const bytes = Math.floor((encoded.replace(/=+$/, "").length * 3) / 4);
  return bytes >= 24 && bytes <= 64;
}
