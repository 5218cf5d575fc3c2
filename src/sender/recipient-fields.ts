import { createPrivateKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import { visibleText } from "../http/visible-text.ts";
import { assertNever } from "../kernel/app-error.ts";
import { Secret } from "../kernel/secret.ts";
import { readWebhookKey } from "../kernel/webhook-signature.ts";
import { readPrivateKey } from "./client-assertion.ts";
import {
  type AnyRecipientChange,
  type ClientCertificate,
  clientAuthentications,
  deliveryStates,
  type RecipientAuthorization,
  recipientLanesMax,
} from "./ports.ts";
import { attemptDeadlineMaxMs } from "./sender.ts";

const urlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2_000)
  .refine(hasNoUserInfo, { error: "must not contain a user name or password; use 'authorization'" })
  .refine((url) => !url.includes("#"), { error: "must not contain a fragment" });

const privateKeyRequired = "must be RSA of at least 2048 bits, EC P-256 or P-384, or Ed25519, unencrypted in PEM";

export const authorizationSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("basic"),
    username: visibleText
      .min(1)
      .max(1_000)
      .refine((name) => !name.includes(":"), { error: "must not contain ':' (RFC 7617)" }),
    password: visibleText.max(4_000),
  }),
  z.strictObject({
    type: z.literal("bearer"),
    // Broader than RFC 6750, because recipients invent tokens; up to the length of a header.
    token: z
      .string()
      .max(8_000)
      .regex(/^[\x21-\x7e]+$/, { error: "must be visible ASCII characters without spaces" }),
  }),
  z
    .strictObject({
      type: z.literal("oauth"),
      tokenUrl: urlSchema,
      clientId: visibleText.min(1).max(1_000),
      clientSecret: visibleText.min(1).max(4_000).optional(),
      clientAuthentication: z.enum(clientAuthentications).default("basic"),
      privateKey: z.string().max(10_000).refine(isPrivateKey, { error: privateKeyRequired }).optional(),
      keyId: visibleText.min(1).max(200).optional(),
      // RFC 6749 appendix A.4.
      scope: z
        .string()
        .max(2_000)
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, {
          error: "must be scopes of visible ASCII characters without quotes and backslashes, separated by one space",
        })
        .optional(),
      audience: visibleText.min(1).max(2_000).optional(),
    })
    .superRefine((oauth, context) => {
      const [input, other] =
        oauth.clientAuthentication === "private-key-jwt"
          ? (["privateKey", "clientSecret"] as const)
          : (["clientSecret", "privateKey"] as const);
      const goesWith = `clientAuthentication '${oauth.clientAuthentication}'`;
      if (oauth[input] === undefined) {
        context.addIssue({ code: "custom", path: [input], message: `is needed with ${goesWith}` });
      }
      if (oauth[other] !== undefined) {
        context.addIssue({ code: "custom", path: [other], message: `does not go with ${goesWith}` });
      }
    }),
]);

const anyRecipientMembers = { name: z.string().trim().min(1).max(200), url: urlSchema };

export const limitsSchema = z.strictObject({
  deadlineMs: z.number().int().min(1_000).max(attemptDeadlineMaxMs).nullable(),
  lanesMax: z.number().int().min(1).max(recipientLanesMax).nullable(),
  ratePerSecond: z.number().int().min(1).max(1_000).nullable(),
});

/** Two while rotating, and one to spare. */
const signingSecretsMax = 3;
export const signingSecretsSchema = z
  .array(z.string().refine(isWebhookSecret, { error: "must be 'whsec_' and the base64 of 24 to 64 bytes" }))
  .max(signingSecretsMax);

const certificatePem = z.string().max(50_000).refine(isCertificate, { error: "must be X.509 certificates in PEM" });

const clientCertificateSchema = z
  .strictObject({
    certificate: certificatePem,
    privateKey: z.string().max(20_000),
    /** Instead of the public authorities. */
    authorities: certificatePem.optional(),
  })
  .refine(belongTogether, {
    error: "must be the private key of the first certificate, unencrypted in PEM",
    path: ["privateKey"],
  });

const pageItemsMax = 200;
const pageItems = 50;

const limitSchema = z.coerce.number().int().min(1).max(pageItemsMax).default(pageItems);
export const pageSchema = z.object({ limit: limitSchema, cursor: z.uuid().nullable().default(null) });

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const stateSchema = z.strictObject({
  state: z.enum(["active", "paused"]).optional(),
  reason: z.string().trim().min(1).max(500).optional(),
});

function hasFittingReason({ state, reason }: { readonly state?: unknown; readonly reason?: unknown }): boolean {
  return reason === undefined || state === "paused";
}

export const anyDeliverySchema = z.strictObject({
  orderId: z.string().min(1).max(200).optional(),
  recipientId: z.uuid().optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
});

export const anyResendSchema = z.strictObject({
  state: z.enum(deliveryStates).exclude(["pending"]),
  ...anyDeliverySchema.shape,
  force: z.boolean().default(false),
  preview: z.boolean().default(false),
});

export const attemptQuerySchema = z.object({ limit: limitSchema });
export const resendQuerySchema = z.object({ limit: limitSchema });

function toAuthorization(input: GivenAuthorization): RecipientAuthorization {
  switch (input.type) {
    case "none":
      return input;
    case "basic":
      return { type: "basic", username: input.username, password: new Secret(input.password) };
    case "bearer":
      return { type: "bearer", token: new Secret(input.token) };
    case "oauth": {
      const { scope = null, audience = null, keyId = null, clientSecret, privateKey, ...client } = input;
      return { ...client, clientSecret: new Secret(clientSecret ?? privateKey ?? ""), keyId, scope, audience };
    }
    default:
      return assertNever(input);
  }
}

function toCertificate(input: z.output<typeof clientCertificateSchema> | null): ClientCertificate | null {
  if (input === null) return null;
  const { certificate, privateKey, authorities = null } = input;
  const expiresAt = new Date(new X509Certificate(certificate).validTo);
  return { certificate, privateKey: new Secret(privateKey), authorities, expiresAt };
}

function isPrivateKey(pem: string): boolean {
  try {
    return readPrivateKey(pem).algorithm !== "";
  } catch {
    return false;
  }
}

function isWebhookSecret(text: string): boolean {
  try {
    return readWebhookKey(new Secret(text)).length > 0;
  } catch {
    return false;
  }
}

function hasNoUserInfo(url: string): boolean {
  // An invalid URL is already reported, but refinements run all the same.
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== "";
  } catch {
    return false;
  }
}

function belongTogether({ certificate, privateKey }: { certificate: string; privateKey: string }): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return false;
  }
}

/** With exact optional properties, undefined differs from absent. */
export function withoutUndefined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

export function newRecipientBody<
  Authorization extends z.ZodType,
  SigningSecrets extends z.ZodType,
  Rules extends z.ZodRawShape,
>(authorization: Authorization, signingSecrets: SigningSecrets, rules: z.ZodObject<Rules>) {
  return z.strictObject({
    ...anyRecipientMembers,
    authorization,
    signingSecrets,
    clientCertificate: clientCertificateSchema.nullable().default(null),
    ...rules.partial().shape,
  });
}

export function recipientChangeBody<
  Authorization extends z.ZodType,
  SigningSecrets extends z.ZodType,
  Rules extends z.ZodRawShape,
>(authorization: Authorization, signingSecrets: SigningSecrets, rules: z.ZodObject<Rules>) {
  return z
    .strictObject({
      ...z.object(anyRecipientMembers).partial().shape,
      authorization: authorization.optional(),
      signingSecrets: signingSecrets.optional(),
      clientCertificate: clientCertificateSchema.nullable().optional(),
      ...rules.partial().shape,
      ...stateSchema.shape,
    })
    .refine((change) => Object.keys(change).length > 0, { error: "must change something" })
    .refine(hasFittingReason, { error: "goes with state 'paused' only", path: ["reason"] });
}

interface GivenCredentials {
  readonly authorization?: GivenAuthorization | undefined;
  readonly signingSecrets?: readonly string[] | undefined;
  readonly clientCertificate?: z.output<typeof clientCertificateSchema> | null | undefined;
}
type GivenAuthorization = { readonly type: "none" } | z.output<typeof authorizationSchema>;

/** @param usualRules those that a body may leave out */
export function toNewRecipient<Rules extends object>(usualRules: Rules) {
  return <Wanted extends GivenCredentials & { readonly authorization: GivenAuthorization }>({
    authorization,
    signingSecrets = [],
    clientCertificate = null,
    ...rest
  }: Wanted) => ({
    ...usualRules,
    ...withoutUndefined(rest),
    authorization: toAuthorization(authorization),
    signingSecrets: signingSecrets.map((secret) => new Secret(secret)),
    clientCertificate: toCertificate(clientCertificate),
  });
}

export function toRecipientChange<Wanted extends GivenCredentials & z.output<typeof stateSchema>>(input: Wanted) {
  const { authorization, signingSecrets, clientCertificate, state, reason, ...rest } = input;
  return {
    ...withoutUndefined(rest),
    ...(authorization === undefined ? {} : { authorization: toAuthorization(authorization) }),
    ...(signingSecrets === undefined ? {} : { signingSecrets: signingSecrets.map((secret) => new Secret(secret)) }),
    ...(clientCertificate === undefined ? {} : { clientCertificate: toCertificate(clientCertificate) }),
    ...toStateChange(state, reason),
  };
}

function toStateChange(state: "active" | "paused" | undefined, reason: string | undefined): AnyRecipientChange {
  if (state === undefined) return {};
  if (state === "active") return { state: { to: state } };
  return { state: { to: state, reason: { code: "sender.paused", message: reason ?? "Paused by a person." } } };
}
