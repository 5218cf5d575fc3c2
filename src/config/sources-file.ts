import { parseDocument } from "yaml";
import { z } from "zod";
import { Secret } from "../kernel/secret.ts";
import { type OAuthConfiguration, oauthSchema, toOAuthConfiguration } from "./source-oauth.ts";

export interface GatewayAccount {
  readonly baseUrl: string;
  /** Where AirTicketVoid is called; null if at the same URL. */
  readonly voidBaseUrl: string | null;
  readonly accessToken: Secret;
  readonly apiKey: Secret | null;
  /** The `Party` of each request; null names this program. */
  readonly agency: Agency | null;
}

/** @see interface document, "Common request envelope" */
export interface Agency {
  readonly name: string;
  /** May be empty, like the IATA number. */
  readonly id: string;
  readonly iataNumber: string;
  readonly emails: readonly string[];
}

export interface SourceConfiguration {
  /** As in `POST /ocn/:source`. */
  readonly id: string;
  /** Several passwords allow rotation; null without Basic authentication. */
  readonly basic: { readonly username: string; readonly passwords: readonly Secret[] } | null;
  readonly bearerTokens: readonly Secret[];
  readonly exactValues: readonly Secret[];
  readonly signingSecrets: readonly Secret[];
  readonly oauth: OAuthConfiguration | null;
  readonly acknowledgeUnusable: boolean;
  readonly gateway: GatewayAccount | null;
  /** Null for the shipped policy. */
  readonly policyFile: string | null;
  /** Whether customers have agreed beforehand that changes may be accepted for them. */
  readonly customerAgreement: boolean;
  /** Hours between polls of a status; 0 never, null as in POLL_HOURS. */
  readonly pollHours: number | null;
  /** How many orders are only observed; null as in LEARN_ORDERS. */
  readonly learnOrders: number | null;
  /** Automatic effects within an hour, at which automation stops; 0 no limit, null as in AUTOMATION_HOURLY_LIMIT. */
  readonly hourlyLimit: number | null;
}

export const defaultSourceId = "default";

export function hasCredential(source: Omit<SourceConfiguration, "id" | "acknowledgeUnusable">): boolean {
  const { basic, bearerTokens, exactValues, signingSecrets, oauth } = source;
  return (
    basic !== null || oauth !== null || [bearerTokens, exactValues, signingSecrets].some((list) => list.length > 0)
  );
}

/** Standard Webhooks: base64 of 24 to 64 bytes. */
export const signingSecret = z
  .string()
  .refine(isSigningSecret, "must be whsec_ and the base64 of 24 to 64 bytes, and not a hash");

function isSigningSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? "";
  const bytes = Math.floor((encoded.replace(/=+$/, "").length * 3) / 4);
  return bytes >= 24 && bytes <= 64;
}

const sourceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, '-' and '_', at most 63 of them");

const sourcesSchema = z.strictObject({
  sources: z
    .array(
      z.strictObject({
        id: sourceId,
        basic: z
          .strictObject({
            username: z.string().regex(/^[^:]+$/, "must not be empty or hold a colon (RFC 7617)"),
            passwords: z.array(z.string().min(1)).min(1),
          })
          .optional(),
        bearer_tokens: z.array(z.string().min(1)).default([]),
        exact_authorization: z.array(z.string().min(1)).default([]),
        signing_secrets: z.array(signingSecret).default([]),
        oauth: oauthSchema.optional(),
        acknowledge_unusable: z.boolean().default(false),
        gateway: z
          .strictObject({
            base_url: z.url({ protocol: /^https?$/ }),
            void_base_url: z.url({ protocol: /^https?$/ }).optional(),
            access_token: z.string().min(1),
            api_key: z.string().min(1).optional(),
            agency: z
              .strictObject({
                name: z.string().min(1),
                id: z.string().default(""),
                iata_number: z.string().default(""),
                emails: z.array(z.email()).default([]),
              })
              .optional(),
          })
          .optional(),
        policy_file: z.string().min(1).optional(),
        customer_agreement: z.boolean().default(false),
        poll_hours: z.number().min(0).max(168).optional(),
        learn_orders: z.int().min(0).max(10_000).optional(),
        automation_hourly_limit: z.int().min(0).max(100_000).optional(),
      }),
    )
    .min(1),
});

/** Returns the sources, or problems with the path of each value, never the value itself. */
export function readSources(
  text: string,
):
  | { readonly ok: true; readonly sources: readonly SourceConfiguration[] }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => `SOURCES_FILE is no YAML: ${error.message.split("\n")[0]}`),
    };
  }
  const parsed = sourcesSchema.safeParse(document.toJS());
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.map(
        (issue) => `SOURCES_FILE: ${issue.path.join(".") || "the file"}: ${issue.message}`,
      ),
    };
  }
  const ids = parsed.data.sources.map((source) => source.id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (repeated.length > 0) return { ok: false, problems: [`SOURCES_FILE: source '${repeated[0]}' is defined twice`] };
  const sources = parsed.data.sources.map(toSource);
  const open = sources.filter((source) => !hasCredential(source));
  if (open.length > 0) {
    return {
      ok: false,
      problems: open.map(
        (source) =>
          `SOURCES_FILE: source '${source.id}' has no credential; give it basic, bearer_tokens, oauth, exact_authorization or signing_secrets`,
      ),
    };
  }
  return { ok: true, sources };
}

function toAgency(agency: { name: string; id: string; iata_number: string; emails: readonly string[] }): Agency {
  return { name: agency.name, id: agency.id, iataNumber: agency.iata_number, emails: agency.emails };
}

function toSource(source: z.output<typeof sourcesSchema>["sources"][number]): SourceConfiguration {
  return {
    id: source.id,
    basic:
      source.basic === undefined
        ? null
        : {
            username: source.basic.username,
            passwords: source.basic.passwords.map((password) => new Secret(password)),
          },
    bearerTokens: source.bearer_tokens.map((token) => new Secret(token)),
    exactValues: source.exact_authorization.map((value) => new Secret(value)),
    signingSecrets: source.signing_secrets.map((secret) => new Secret(secret)),
    oauth: source.oauth === undefined ? null : toOAuthConfiguration(source.oauth),
    acknowledgeUnusable: source.acknowledge_unusable,
    gateway:
      source.gateway === undefined
        ? null
        : {
            baseUrl: source.gateway.base_url,
            voidBaseUrl: source.gateway.void_base_url ?? null,
            accessToken: new Secret(source.gateway.access_token),
            apiKey: source.gateway.api_key === undefined ? null : new Secret(source.gateway.api_key),
            agency: source.gateway.agency === undefined ? null : toAgency(source.gateway.agency),
          },
    policyFile: source.policy_file ?? null,
    customerAgreement: source.customer_agreement,
    pollHours: source.poll_hours ?? null,
    learnOrders: source.learn_orders ?? null,
    hourlyLimit: source.automation_hourly_limit ?? null,
  };
}
