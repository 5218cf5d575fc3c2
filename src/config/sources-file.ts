import { z } from "zod";
import { defaultInformChoice, informChoices } from "../policy/inform.ts";
import { wayKinds, wayMembers, waysIn } from "../receiver/ways.ts";
import { readYaml } from "./read-yaml.ts";
import { secret } from "./setting.ts";

const url = z.url({ protocol: /^https?$/ });
const text = z.string().min(1);

/** Of mail, such as `agency.example`. */
const domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/, "must be a domain such as agency.example, without @");

/** @see interface document, "Common request envelope" */
const agency = z
  .strictObject({
    name: text,
    id: z.string().default(""),
    iata_number: z.string().default(""),
    emails: z.array(z.email()).default([]),
  })
  .transform(({ iata_number: iataNumber, ...given }) => ({ ...given, iataNumber }));

const gateway = z
  .strictObject({
    base_url: url,
    void_base_url: url.optional(),
    access_token: secret,
    api_key: secret.optional(),
    agency: agency.optional(),
  })
  .transform((given) => ({
    baseUrl: given.base_url,
    /** Where AirTicketVoid is called; null if at the same URL. */
    voidBaseUrl: given.void_base_url ?? null,
    accessToken: given.access_token,
    apiKey: given.api_key ?? null,
    /** The `Party` of each request; null names this program. */
    agency: given.agency ?? null,
  }));

const source = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, '-' and '_', at most 63 of them"),
    ...wayMembers,
    acknowledge_unusable: z.boolean().default(false),
    gateway: gateway.optional(),
    policy_file: text.optional(),
    customer_agreement: z.boolean().default(false),
    inform: z.enum(informChoices).default(defaultInformChoice),
    own_domains: z.array(domain).default([]),
    arrangers: z.array(z.email()).default([]),
    poll_hours: z.number().min(0).max(168).optional(),
    learn_orders: z.int().min(0).max(10_000).optional(),
    automation_hourly_limit: z.int().min(0).max(100_000).optional(),
  })
  .transform((given) => ({
    /** As in `POST /ocn/:source`. */
    id: given.id,
    authentication: waysIn(given),
    acknowledgeUnusable: given.acknowledge_unusable,
    gateway: given.gateway ?? null,
    /** Null for the shipped policy. */
    policyFile: given.policy_file ?? null,
    /** Whether customers have agreed beforehand that changes may be accepted for them. */
    customerAgreement: given.customer_agreement,
    /** Who tells travellers of accepted and cancelled changes, where the rule that decided does not say. */
    inform: given.inform,
    /** At which addresses none of its travellers is reached. */
    ownAddresses: {
      domains: given.own_domains,
      addresses: (given.gateway?.agency?.emails ?? []).map((email) => email.toLowerCase()),
      arrangers: given.arrangers.map((email) => email.toLowerCase()),
    },
    /** Hours between polls of a status; 0 never, null as in POLL_HOURS. */
    pollHours: given.poll_hours ?? null,
    /** How many orders are only observed; null as in LEARN_ORDERS. */
    learnOrders: given.learn_orders ?? null,
    /** Automatic effects within an hour, at which automation stops; 0 no limit, null as in AUTOMATION_HOURLY_LIMIT. */
    hourlyLimit: given.automation_hourly_limit ?? null,
  }));

export type Agency = z.output<typeof agency>;
export type SourceConfiguration = z.output<typeof source>;

export const defaultSourceId = "default";

/** One that SOURCES_FILE would define so. */
export function toSource(given: z.input<typeof source>): SourceConfiguration {
  return source.parse(given);
}

const sourcesFile = z.strictObject({ sources: z.array(source).min(1) });

/** Returns the sources, or problems with the path of each value, never the value itself. */
export function readSources(
  content: string,
):
  | { readonly ok: true; readonly sources: readonly SourceConfiguration[] }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const refuse = (problems: readonly string[]) => ({
    ok: false as const,
    problems: problems.map((problem) => `SOURCES_FILE${problem}`),
  });
  const read = readYaml(content);
  if (!read.ok) return refuse([` ${read.problem}`]);
  const parsed = sourcesFile.safeParse(read.value);
  if (!parsed.success) {
    return refuse(parsed.error.issues.map(({ path, message }) => `: ${path.join(".") || "the file"}: ${message}`));
  }
  const { sources } = parsed.data;
  const ids = sources.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return refuse([`: source '${repeated}' is defined twice`]);
  const open = sources.filter(({ authentication }) => authentication.length === 0);
  if (open.length > 0) {
    const ways = `${wayKinds.slice(0, -1).join(", ")} or ${wayKinds.at(-1)}`;
    return refuse(open.map(({ id }) => `: source '${id}' has no credential; give it ${ways}`));
  }
  return { ok: true, sources };
}
