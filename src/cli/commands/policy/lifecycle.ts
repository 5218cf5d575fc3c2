import { existsSync } from "node:fs";
import { readPolicyFile, shippedPolicyNames } from "../../../app/policy-file.ts";
import type { ApiTypes } from "../../../dashboard/api/routes.ts";
import type { PolicyRole } from "../../../dashboard/policy-ports.ts";
import { AppError } from "../../../kernel/app-error.ts";
import { type ApiClient, createApiClient } from "../../api-client.ts";
import { readInput } from "../../read-input.ts";
import type { ServerOptions } from "../../server-options.ts";
import { printTable } from "../../table.ts";
import { printJson, printLine, printResponse, type Terminal } from "../../terminal.ts";

export interface ActivateOptions extends ServerOptions {
  readonly note: string;
  readonly source: string;
  readonly off?: boolean;
}

type Overview = ApiTypes["GET /policies"]["response"];

export async function list(options: ServerOptions, terminal: Terminal): Promise<void> {
  const overview = await createApiClient(terminal, options).call("GET /policies", {});
  if (options.json === true) return printJson(terminal, overview);
  printTable(
    overview.sources,
    {
      Source: ({ source }) => source,
      Active: ({ active }) => `${active.name} ${active.version.slice(0, 12)}`,
      Since: ({ active }) => active.beganAt.slice(0, 16),
      By: ({ active, setByFile }) => (setByFile === null ? active.beganBy : `file ${setByFile}`),
      Shadow: ({ shadow }) => shadow && `${shadow.name} ${shadow.version.slice(0, 12)}`,
      Differs: ({ shadow }) => shadow && `${shadow.differing} of ${shadow.compared}`,
    },
    terminal,
  );
  printLine(terminal.stdout);
  printTable(
    overview.versions,
    {
      Version: ({ version }) => version.slice(0, 12),
      Name: ({ name }) => name,
      "Kept since": ({ createdAt }) => createdAt.slice(0, 16),
      By: ({ createdBy }) => createdBy,
      Note: { flexible: ({ note }) => note },
    },
    terminal,
  );
}

/** For `policy activate` and `policy shadow`. */
export async function activate(
  role: PolicyRole,
  chosen: string | undefined,
  { note, source, off, ...server }: ActivateOptions,
  terminal: Terminal,
): Promise<void> {
  if ((chosen === undefined) !== (off === true)) {
    throw new AppError("cli.policy_choice", "Name a policy, or give --off.");
  }
  const api = createApiClient(terminal, server);
  const overview = await api.call("GET /policies", {});
  const current = overview.sources.find((each) => each.source === source);
  if (current === undefined) throw new AppError("cli.no_such_source", `The server has no source '${source}'.`);
  const version = chosen === undefined ? null : await findVersion(api, overview, chosen, note, terminal);
  // Names what was just read, so that the server refuses if somebody else is faster.
  const response = await api.call("POST /policies/activations", {
    body: {
      source,
      role,
      version,
      note,
      replaces: current[role]?.version ?? null,
    },
  });
  printResponse(response, server, terminal, describeActivation(response, role));
}

function describeActivation(
  { source, ...roles }: ApiTypes["POST /policies/activations"]["response"],
  role: PolicyRole,
): string {
  const activated = roles[role];
  if (activated === null) return `Source ${source} no longer has a shadow policy.`;
  const name = `${activated.name} (${activated.version.slice(0, 12)})`;
  if (role === "active") return `${name} now decides for source ${source}.`;
  return `${name} is now the shadow policy of source ${source}. It is only compared with ${roles.active.name}.`;
}

async function findVersion(
  api: ApiClient,
  { versions }: Overview,
  chosen: string,
  note: string,
  terminal: Terminal,
): Promise<string> {
  if (chosen === "-" || existsSync(chosen)) {
    const text = Buffer.from(await readInput(chosen, terminal)).toString("utf8");
    return (await api.call("POST /policies", { body: { text, note } })).version;
  }
  const shipped = shippedPolicyNames.find((name) => name === chosen);
  if (shipped !== undefined) {
    const { text } = readPolicyFile(shipped);
    return (await api.call("POST /policies", { body: { text, note } })).version;
  }
  const found = versions.filter(({ version }) => version.startsWith(chosen.toLowerCase()));
  if (chosen.length >= 6 && found.length === 1) return found[0]!.version;
  throw new AppError(
    "cli.no_such_policy",
    `'${chosen}' is no file, no shipped policy, and not the beginning (6 digits or more) of exactly one version. \`npx skedchange policy list\` lists them.`,
  );
}
