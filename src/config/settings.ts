import { z } from "zod";
import { type EncryptionKey, readEncryptionKeys } from "../kernel/encryption-keys.ts";
import { networkProblem } from "../kernel/networks.ts";
import { settingsOfWays } from "../receiver/ways.ts";
import { type RoleOfValue, readRoles, readSources, type SourceOfValue } from "./identity-provider.ts";
import { absoluteUrl, detailsOf, flag, type SettingDetails, setting } from "./setting.ts";

/** The source of `.env.example` and `docs/settings.md`. */
export interface SettingDescription extends SettingDetails {
  readonly name: SettingName;
  readonly group: string;
}

const portError = "must be a whole number from 0 to 65535";
const port = z.coerce.number(portError).int(portError).min(0, portError).max(65_535, portError);
const positiveError = "must be a whole number above 0";
const positiveInteger = z.coerce.number(positiveError).int(positiveError).positive(positiveError);
/** From 0 to `max`. */
function wholeNumber(of: string, max: number) {
  const error = `must be a whole number of ${of} from 0 to ${max}`;
  return z.coerce.number(error).int(error).min(0, error).max(max, error);
}

const pollHoursError = "must be a number of hours from 0 to 168";
const shareError = "must be a number from 0 to 1";
const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be postgres://user:password@host:5432/database, with special characters of the password percent-encoded",
});
const encryptionKeys = z.string().transform((text, context): readonly EncryptionKey[] => {
  const read = readEncryptionKeys(text);
  if (read.ok) return read.keys;
  context.addIssue(`${read.problem}; make a key with \`skedchange keys new\``);
  return z.NEVER;
});

/** `none` is an empty list that somebody has chosen. */
const networks = z.string().transform((text, context): readonly string[] => {
  if (text.trim() === "none") return [];
  const given = text.split(/\s+/).filter((network) => network !== "");
  const problem = given.map(networkProblem).find((found) => found !== null);
  if (problem === undefined) return given;
  context.addIssue(problem);
  return z.NEVER;
});

const rolesOfValues = z.string().transform((text, context): readonly RoleOfValue[] => {
  const read = readRoles(text);
  if (!("problem" in read)) return read;
  context.addIssue(read.problem);
  return z.NEVER;
});

const sourcesOfValues = z.string().transform((text, context): readonly SourceOfValue[] => {
  const read = readSources(text);
  if (!("problem" in read)) return read;
  context.addIssue(read.problem);
  return z.NEVER;
});

const otlpHeaders = z.string().transform((text, context): Readonly<Record<string, string>> => {
  try {
    const pairs = text.split(",").map((pair) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/s.exec(pair)!;
      return [name!.toLowerCase(), decodeURIComponent(value!.trim())] as const;
    });
    return Object.fromEntries(new Headers(pairs.map(([name, value]) => [name, value])));
  } catch {
    // Without the text, which holds a credential.
    context.addIssue("must be name=value, separated by commas");
    return z.NEVER;
  }
});

const responseTargets = z.string().transform((text, context) => {
  if (text.trim() === "none") return [];
  const targets: { readonly priority: number; readonly hours: number }[] = [];
  for (const part of text.trim().split(/\s+/)) {
    const [, priority, hours] = /^([0-9])=(\d{1,4})$/.exec(part) ?? [];
    if (priority === undefined || hours === undefined || Number(hours) === 0) {
      context.addIssue(`holds '${part}'; write priority=hours such as 0=1 3=24, hours from 1 to 9999, or none`);
      return z.NEVER;
    }
    if (targets.some((target) => target.priority === Number(priority))) {
      context.addIssue(`gives priority ${priority} twice`);
      return z.NEVER;
    }
    targets.push({ priority: Number(priority), hours: Number(hours) });
  }
  return targets;
});

const roleNames = ["receiver", "worker", "sender", "dashboard", "gateway"] as const;
export type Role = (typeof roleNames)[number];

const roles = z.string().transform((text, context): readonly Role[] => {
  const named = text.split(",").map((part) => part.trim());
  if (named.includes("all")) return roleNames;
  const found: Role[] = [];
  for (const name of named) {
    const role = roleNames.find((candidate) => candidate === name);
    if (role === undefined) {
      context.addIssue(`names the unknown role '${name}'; use ${roleNames.join(", ")} or all`);
      return z.NEVER;
    }
    if (!found.includes(role)) found.push(role);
  }
  return found;
});

const settingGroups = {
  Process: {
    HOST: setting(z.string(), {
      default: "127.0.0.1",
      description: "Address to listen on. Demo mode accepts a loopback address only.",
    }),
    PORT: setting(port, {
      default: "3000",
      description: "Port of the agency side: push target, API, dashboard. 0 picks a free one.",
    }),
    GATEWAY_PORT: setting(port, {
      default: "4000",
      description:
        "Port of the gateway side: its operations and /control, which the role sender serves too. 0 picks a free one.",
    }),
    OPS_PORT: setting(port, {
      description:
        "A port of its own for /metrics, /docs, /openapi.json and the details of /readyz, which PORT then serves no more. 0 picks a free one. Without it, PORT serves them to everyone who reaches it.",
    }),
    ALLOW_WEAK_SETTINGS: setting(flag, {
      default: "0",
      description:
        "1 starts a process that others can reach although a secret can be guessed or passwords would cross the network in clear. `skedchange doctor` names what is weak.",
    }),
    TRUSTED_PROXIES: setting(networks, {
      description:
        "Networks of the reverse proxies in front, such as 10.0.0.5/32, separated by white space. Only they are believed who the client is and whether it uses TLS (X-Forwarded-For, X-Forwarded-Proto). `none` if there is no proxy. Not set, limits and the log see the proxy's address, and version 0.5 will not start with an https PUBLIC_URL.",
    }),
    PUBLIC_URL: setting(absoluteUrl, {
      description:
        "The URL under which gateways and people reach the agency side. Links use it, never the Host header.",
    }),
    ROLES: setting(roles, {
      default: "receiver,worker,sender,dashboard",
      description:
        "What this process runs, separated by commas: receiver, worker, sender, dashboard, gateway, or all. Demo mode runs all when it is not set.",
    }),
    DEMO: setting(flag, {
      description:
        "1 runs with demo data and demo credentials, everything unless ROLES says otherwise; 0 refuses to. Not set: on when no credential, gateway or DATABASE_URL is given.",
    }),
    DEMO_AUTHENTICATION: setting(z.enum(["basic", "bearer", "oauth"], { error: "must be basic, bearer or oauth" }), {
      default: "basic",
      description: "How the demo's sender proves itself to the demo's receiver: basic, bearer or oauth.",
    }),
    LOG_LEVEL: setting(z.enum(["debug", "info", "warn", "error", "silent"]), {
      default: "info",
      description: "debug, info, warn, error or silent.",
    }),
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: setting(absoluteUrl, {
      description:
        "Base URL of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318 (docs/operations.md). Not set: no traces.",
    }),
    OTEL_EXPORTER_OTLP_HEADERS: setting(otlpHeaders, {
      description:
        "Headers for the collector: name=value, separated by commas; values percent-encoded where they need it.",
      secret: true,
    }),
    OTEL_SERVICE_NAME: setting(z.string(), {
      default: "skedchange",
      description: "The name of this process's service in traces.",
    }),
    OTEL_TRACES_SAMPLER_ARG: setting(z.coerce.number(shareError).min(0, shareError).max(1, shareError), {
      default: "1",
      description: "The share of traces that are exported, from 0 to 1.",
    }),
  },
  Data: {
    DATA_DIR: setting(z.string(), {
      default: "data",
      description: "Folder of the embedded PostgreSQL. Used only when DATABASE_URL is not set.",
    }),
    DATABASE_URL: setting(databaseUrl, {
      description:
        "PostgreSQL to use, as the service role: postgres://user:password@host:5432/database. Not set: an embedded server under DATA_DIR. A pooler on the way, such as PgBouncer, must be in session mode: Skedchange listens for notifications, holds advisory locks and prepares its statements.",
      secret: true,
      endsDemo: true,
    }),
    DATABASE_OWNER_URL: setting(databaseUrl, {
      description: "The same database as the role that owns and migrates it. Not set: DATABASE_URL does both.",
      secret: true,
      endsDemo: true,
    }),
    QUEUE_URL: setting(z.string(), {
      description:
        "Redis in which BullMQ keeps its jobs: redis://user:password@host:6379/0, rediss:// for TLS, hosts separated by commas for a Redis Cluster (docs/queue.md). Not set: the PostgreSQL database.",
      secret: true,
    }),
    ENCRYPTION_KEYS: setting(encryptionKeys, {
      description:
        "Keys with which stored bodies and credentials are encrypted (AES-256-GCM), each as id:base64, separated by white space. The first one encrypts, all of them decrypt. `skedchange keys new` makes one. Not set: a file under DATA_DIR, which is made at the first start; a DATABASE_URL of yours needs the setting.",
      secret: true,
    }),
    RETENTION_BODIES_DAYS: setting(wholeNumber("days", 36_500), {
      default: "0",
      description:
        "Days after the last case of an order ended, until the bodies of its notifications, status views and gateway responses are deleted, and the notes of people. 0: never. `skedchange migrate` stores it in the database, and must get it, too (docs/data-protection.md).",
    }),
    RETENTION_CASES_DAYS: setting(wholeNumber("days", 36_500), {
      default: "0",
      description:
        "Days after the last case of an order ended and its flights departed, until its cases are deleted with all that belongs to them. The audit stays. 0: never. `skedchange migrate` stores it, too.",
    }),
  },
  Receiver: {
    ...settingsOfWays,
    OCN_BODY_LIMIT_BYTES: setting(positiveInteger, {
      default: "2097152",
      description: "Longest notification in bytes, after inflating.",
    }),
    OCN_ORDER_LIMIT: setting(positiveInteger, {
      default: "500",
      description: "Orders that one notification may name; one that names more is quarantined.",
    }),
    OCN_BACKLOG_LIMIT_BYTES: setting(positiveInteger, {
      default: "67108864",
      description: "Bytes of notifications that may wait for their commit; beyond it the response is 503.",
    }),
    OCN_ACKNOWLEDGE_UNUSABLE: setting(flag, {
      default: "0",
      description:
        "1 acknowledges a body that is no usable notification after quarantining it, instead of responding with 400, 415 or 422.",
    }),
  },
  "Gateway client": {
    GATEWAY_BASE_URL: setting(absoluteUrl, {
      description: "Where the booking gateway's operations are called: {base_url}/AirReservationStatus and so on.",
      endsDemo: true,
    }),
    GATEWAY_VOID_BASE_URL: setting(absoluteUrl, {
      description: "Where AirTicketVoid is called, when a gateway has another host for it. Not set: GATEWAY_BASE_URL.",
    }),
    GATEWAY_ACCESS_TOKEN: setting(z.string(), {
      description: "Sent as the Authorization header of every operation, as it is.",
      secret: true,
      endsDemo: true,
    }),
    GATEWAY_API_KEY: setting(z.string(), {
      description: "Sent as the x-api-key header of every operation.",
      secret: true,
      endsDemo: true,
    }),
    GATEWAY_TIMEOUT_SECONDS: setting(positiveInteger, {
      default: "30",
      description: "Longest wait for one operation, from connecting to the last byte.",
    }),
    AGENCY_NAME: setting(z.string(), {
      description: "In whose name operations are called (Party of each request). Not set: Skedchange.",
    }),
    AGENCY_ID: setting(z.string(), { description: "The agency's id there, if the gateway asks for one." }),
    AGENCY_IATA_NUMBER: setting(z.string(), { description: "The agency's IATA number there." }),
    AGENCY_EMAILS: setting(z.string(), {
      description: "The agency's e-mail addresses there, separated by white space.",
    }),
  },
  Gateway: {
    SUPPLY: setting(z.enum(["simulated", "none"]), {
      default: "simulated",
      description:
        "What the role gateway sells: simulated flights, seats and services, or none. With none it has the orders that you give it, and the operations that need a supply respond like an unknown path.",
    }),
    GATEWAY_CONTROL_TOKEN: setting(z.string(), {
      description:
        "Bearer token of the /control routes. The role gateway needs it; the role sender serves /control/recipients, /control/notifications and /control/deliveries if it is set. The gateway's own operations expect GATEWAY_ACCESS_TOKEN and GATEWAY_API_KEY.",
      secret: true,
      endsDemo: true,
    }),
    GATEWAY_STRICT: setting(flag, {
      default: "0",
      description:
        "1 makes the gateway's operations refuse what is not exactly as in docs/contract.md, for tests of software that calls it. A request can choose by `Prefer: handling=strict` or `handling=lenient`.",
    }),
  },
  Sender: {
    RECIPIENT_ALLOW_HTTP: setting(flag, {
      default: "0",
      description: "1 allows recipients and token endpoints with http URLs, for a network that nobody else is on.",
    }),
    RECIPIENT_ALLOWED_NETWORKS: setting(networks, {
      description:
        "Networks, such as 10.20.0.0/16, that notifications may be sent into although they are not public, separated by white space. Loopback, private, link-local and other special addresses are refused unless they are listed here.",
    }),
    DELIVERY_RETENTION_DAYS: setting(positiveInteger, {
      default: "90",
      description:
        "Days after which deliveries that were acknowledged or superseded are deleted, with their attempts and bodies. Pending and dead ones are kept.",
    }),
  },
  Notices: {
    SMTP_URL: setting(
      z.url({
        protocol: /^smtps?$/,
        error: "must be smtp://user:password@host:587, or smtps:// with port 465, special characters percent-encoded",
      }),
      {
        description:
          "Mail server for notices to agents (docs/notices.md): smtp://user:password@host:587 with STARTTLS, or smtps://user:password@host:465. Not set: no notices by e-mail.",
        secret: true,
      },
    ),
    NOTICE_FROM: setting(
      z.string().regex(/^[^\r\n<>]*(<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, "must be an e-mail address"),
      { description: "Whom such e-mails come from, such as Skedchange <notices@agency.example>." },
    ),
    MAIL_DKIM_SELECTOR: setting(z.string().regex(/^[\w-]+(?:\.[\w-]+)*$/, "must be a part of a domain name"), {
      description:
        "The name of the key with which the mail server signs, s= in the header DKIM-Signature, so that skedchange doctor can look it up.",
    }),
    SMTP_ALLOW_PLAINTEXT: setting(flag, {
      default: "0",
      description:
        "1 sends e-mails without TLS if the mail server of an smtp:// URL offers no STARTTLS, for a network that nobody else is on.",
    }),
  },
  "Sign-in": {
    OIDC_ISSUER: setting(absoluteUrl, {
      description:
        "OpenID Connect provider with which people sign in to the dashboard, exactly as it names itself (docs/people.md). Its redirect URI is PUBLIC_URL and /oidc/callback. Not set: passwords only.",
      endsDemo: true,
    }),
    OIDC_CLIENT_ID: setting(z.string(), { description: "Our client id there." }),
    OIDC_CLIENT_SECRET: setting(z.string(), { description: "Our client secret there.", secret: true }),
    OIDC_ROLES: setting(rolesOfValues, {
      description:
        "Who gets which role, separated by semicolons: admin=IT Admins; agent=Desk Lisbon; agent=Desk Porto. The highest one counts, and people without any are refused.",
    }),
    OIDC_SOURCES: setting(sourcesOfValues, {
      description:
        "Who sees which sources, as in OIDC_ROLES: berlin=Desk Berlin; vienna=Desk Vienna; *=Head Office. People of no such group are refused, but for admins, who see all. Not set: an admin gives sources to each account.",
    }),
    OIDC_ROLES_CLAIM: setting(z.string(), {
      default: "groups",
      description:
        "Claim of the ID token, or of the provider's userinfo, with the groups or roles of OIDC_ROLES and OIDC_SOURCES.",
    }),
    OIDC_SCOPE: setting(z.string().regex(/(^|\s)openid(\s|$)/, "must contain openid"), {
      default: "openid profile email",
      description: "What is asked for. Some providers send groups only for a scope such as groups.",
    }),
    OIDC_NAME: setting(z.string().max(40, "is too long"), {
      default: "SSO",
      description: "The provider's name on the sign-in page: Sign in with ….",
    }),
  },
  Worker: {
    API_TOKEN: setting(z.string(), { description: "Bearer token of /api/v1.", secret: true, endsDemo: true }),
    POLICY_FILE: setting(z.string(), {
      description: "Policy of the default source (YAML). Not set: the one that is shipped.",
    }),
    SOURCES_FILE: setting(z.string(), {
      description: "More sources (YAML), each with its own credentials, gateway and policy.",
      endsDemo: true,
    }),
    WORKER_CONCURRENCY: setting(positiveInteger, {
      default: "8",
      description: "Orders that this process works on at the same time.",
    }),
    SECOND_PERSON_ABOVE: setting(
      z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, "must be a decimal number such as 1000 or 999.50"),
      {
        description:
          "Orders worth more than this, such as 1000, in whatever currency they were booked, are cancelled only when a second person agrees. An order of unknown value counts as worth more. Not set: one person is always enough.",
      },
    ),
    UNDO_WINDOW_SECONDS: setting(wholeNumber("seconds", 3_600), {
      default: "0",
      description:
        "How long an automatic accept or cancel is held back, so that a person can stop it: 0 (not at all) to 3600. Never within 24 hours of departure.",
    }),
    WORKER_CONCURRENCY_PER_SOURCE: setting(positiveInteger, {
      description:
        "Orders of one source that all processes together hand to workers at the same time, so that a slow gateway cannot take them all (docs/queue.md). Not set: no bound with one source, WORKER_CONCURRENCY - 1 with several.",
    }),
    RECONCILE_MINUTES: setting(wholeNumber("minutes", 1_440), {
      default: "15",
      description:
        "How often workers compare what is stored with what must hold, and repair what is safe to (docs/reconciliation.md): 1 to 1440 minutes. 0: never.",
    }),
    POLL_HOURS: setting(z.coerce.number(pollHoursError).min(0, pollHoursError).max(168, pollHoursError), {
      default: "0",
      description:
        "Hours between two readings of the status of an order that nothing was notified of, a few days to weeks before departure; nearer departures are read more often, farther ones less (docs/reconciliation.md). At most 168; 0: notifications only. A source can have its own.",
    }),
    LEARN_ORDERS: setting(wholeNumber("orders", 10_000), {
      default: "0",
      description:
        "So many orders of a new source are only observed: they are decided, and a person is asked instead of sending anything automatically (docs/members-of-a-source.md). 0: none; 200 is a good number for production. Sources that have decided before, and demo mode, do not learn. A source can have its own.",
    }),
    AUTOMATION_HOURLY_LIMIT: setting(wholeNumber("accepts and cancels", 100_000), {
      default: "0",
      description:
        "So many accepts and cancels of one source may be sent automatically within an hour; the last of them stops automation of that source, until a supervisor resumes it (docs/operations.md). 0: no limit, because the changes of a season come in thousands. A source can have its own.",
    }),
    POLLS_PER_MINUTE: setting(positiveInteger, {
      default: "60",
      description: "Such readings of one source a minute, over all processes.",
    }),
    RESPONSE_TARGET_HOURS: setting(responseTargets, {
      default: "0=1 1=4 2=8 3=24 5=72",
      description:
        "The agency's own targets: hours within which a person answers a case, by its priority (0 the most urgent). A priority without one takes that of the next more urgent. none: no targets.",
    }),
  },
} as const;

/** Empty values count as not set. */
export const settingsSchema = z.object({
  ...settingGroups["Process"],
  ...settingGroups["Traces"],
  ...settingGroups["Data"],
  ...settingGroups["Receiver"],
  ...settingGroups["Gateway client"],
  ...settingGroups["Gateway"],
  ...settingGroups["Sender"],
  ...settingGroups["Notices"],
  ...settingGroups["Sign-in"],
  ...settingGroups.Worker,
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;

export const settingDescriptions: readonly SettingDescription[] = Object.entries(settingGroups).flatMap(
  ([group, settings]) =>
    Object.entries(settings).map(([name, schema]) => ({
      ...detailsOf(schema),
      name: name as SettingName,
      group,
    })),
);
