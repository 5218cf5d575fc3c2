import type { Command } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import type { UserRole } from "../../dashboard/people/role.ts";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { printList } from "../list-page.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { printResponse, readStdin, type Terminal } from "../terminal.ts";

interface AddOptions extends ServerOptions {
  readonly role: string;
  readonly displayName?: string;
  readonly source?: string[];
  readonly passwordStdin?: boolean;
}

type User = ApiTypes["GET /users"]["response"]["items"][number];

const passwordBytesMax = 8 * 1024;

export function addUsersCommand(program: Command, terminal: Terminal): void {
  const users = program
    .command("users")
    .description("add, list, disable and enable the people who may sign in; an admin may");
  const withServer = (command: Command): Command => addAgencyOptions(command, terminal);

  withServer(users.command("add <name>"))
    .description("add a user; a password is generated and shown once, and must be changed at the first sign-in")
    .requiredOption("--role <role>", "viewer, agent, supervisor or admin")
    .option("--source <source...>", "the sources whose orders they see (default: all)")
    .option("--display-name <name>", "name that the dashboard shows")
    .option("--password-stdin", "read the password from standard input instead")
    .action((name: string, options: AddOptions) => addUser(name, options, terminal));

  withServer(users.command("list"))
    .description("list all users")
    .action((options: ServerOptions) => listUsers(options, terminal));

  withServer(users.command("role <name> <role>"))
    .description("change the role of a user, effective at once")
    .action((name: string, role: string, options: ServerOptions) =>
      editUser(name, { role }, options, terminal, (user) => `${user.username} is ${user.role} now.`),
    );

  withServer(users.command("sources <name> [source...]"))
    .description("let a user see the orders of these sources only, or of all if none is given; effective at once")
    .action((name: string, sources: string[], options: ServerOptions) =>
      editUser(
        name,
        { sources: sources.length === 0 ? null : sources },
        options,
        terminal,
        (user) => `${user.username} sees the orders of ${user.sources?.join(", ") ?? "all sources"} now.`,
      ),
    );

  withServer(users.command("disable <name>"))
    .description("disable a user; their sessions end and their tokens stop working")
    .action((name: string, options: ServerOptions) =>
      editUser(name, { disabled: true }, options, terminal, (user) => `${user.username} is disabled.`),
    );

  withServer(users.command("enable <name>"))
    .description("enable a disabled user")
    .action((name: string, options: ServerOptions) =>
      editUser(name, { disabled: false }, options, terminal, (user) => `${user.username} may sign in again.`),
    );

  withServer(users.command("sign-out <name>"))
    .description("end all sessions of a user")
    .action((name: string, options: ServerOptions) => signOutUser(name, options, terminal));

  withServer(users.command("link <name> <subject>"))
    .description("let a user sign in with the identity provider only; their password is gone and their sessions end")
    .addHelpText("after", "\nThe page that refuses a user name that is taken shows the subject, and so does the log.")
    .action((name: string, subject: string, options: ServerOptions) =>
      editUser(
        name,
        { subject },
        options,
        terminal,
        (user) => `${user.username} signs in with ${user.issuer} from now on, and has no password here any more.`,
      ),
    );

  withServer(users.command("remove-second-factor <name>"))
    .description("let a user who has lost the authenticator app sign in with the password alone; their sessions end")
    .action((name: string, options: ServerOptions) => removeSecondFactor(name, options, terminal));

  withServer(users.command("require-second-factor [roles...]"))
    .description("say which roles must have a second factor: these and no others; none without a role")
    .action((roles: readonly string[], options: ServerOptions) => requireSecondFactor(roles, options, terminal));

  withServer(users.command("password <name>"))
    .description("set a user's password, read from standard input; all their sessions end, and they must change it")
    .option("--revoke-tokens", "revoke all of their tokens as well")
    .action(async (name: string, options: ServerOptions & { readonly revokeTokens?: boolean }) => {
      const password = await readPassword(terminal);
      const change = options.revokeTokens === true ? { password, revokeTokens: true } : { password };
      await editUser(
        name,
        change,
        options,
        terminal,
        (user) => `${user.username} has a new password, and must change it at the next sign-in.`,
      );
    });
}

async function addUser(name: string, options: AddOptions, terminal: Terminal): Promise<void> {
  const password = options.passwordStdin === true ? await readPassword(terminal) : undefined;
  const added = await createApiClient(terminal, options).call("POST /users", {
    body: {
      username: name,
      role: options.role as UserRole,
      ...(options.displayName === undefined ? {} : { displayName: options.displayName }),
      ...(password === undefined ? {} : { password }),
      ...(options.source === undefined ? {} : { sources: options.source }),
    },
  });
  printResponse(
    added,
    options,
    terminal,
    `${added.user.username} may sign in as ${added.user.role}.`,
    ...(added.password === null ? [] : [`Password (shown only once): ${added.password}`]),
    "It must be changed at the first sign-in.",
  );
}

async function listUsers(options: ServerOptions, terminal: Terminal): Promise<void> {
  const list = await createApiClient(terminal, options).call("GET /users", {});
  printList(list, options, terminal, {
    empty: "There are no users yet. Add one: npx skedchange users add <name> --role admin",
    columns: {
      User: ({ username }) => username,
      Name: { flexible: ({ displayName }) => displayName },
      Role: ({ role }) => role,
      Sources: ({ sources }) => (sources?.length === 0 ? "none" : (sources?.join(", ") ?? "all")),
      "Signs in with": signsInWith,
      State: stateOf,
      "Last sign-in": ({ lastSignInAt }) => lastSignInAt ?? "never",
    },
    wrap: false,
  });
}

function stateOf({ disabled, passwordChangeNeeded }: User): string {
  if (disabled) return "disabled";
  return passwordChangeNeeded ? "initial password" : "active";
}

function signsInWith({ issuer, hasSecondFactor }: User): string {
  if (issuer !== null) return new URL(issuer).host;
  return hasSecondFactor ? "password and code" : "password";
}

async function editUser(
  name: string,
  change: object,
  options: ServerOptions,
  terminal: Terminal,
  describe: (user: User) => string,
): Promise<void> {
  const api = createApiClient(terminal, options);
  const { id } = await findUser(api, name);
  const { user } = await api.call("PATCH /users/{id}", { params: { id }, body: change });
  printResponse(user, options, terminal, describe(user));
}

async function signOutUser(name: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const api = createApiClient(terminal, options);
  const { id, username } = await findUser(api, name);
  const { ended } = await api.call("DELETE /users/{id}/sessions", { params: { id } });
  const sessions = counted(ended, "session has", "sessions have");
  printResponse({ username, ended }, options, terminal, `${username} is signed out: ${sessions} ended.`);
}

async function removeSecondFactor(name: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const api = createApiClient(terminal, options);
  const { id, username, hasSecondFactor } = await findUser(api, name);
  if (!hasSecondFactor) throw new AppError("cli.no_second_factor", `${username} has no second factor.`);
  await api.call("DELETE /users/{id}/second-factor", { params: { id } });
  const now = `${username} signs in with the password alone until they add another second factor.`;
  printResponse({ username, hasSecondFactor: false }, options, terminal, now);
}

async function requireSecondFactor(
  roles: readonly string[],
  options: ServerOptions,
  terminal: Terminal,
): Promise<void> {
  await createApiClient(terminal, options).call("PUT /second-factor-roles", { body: { roles: roles as UserRole[] } });
  const which = roles.length === 0 ? "No role" : `The ${roles.length === 1 ? "role" : "roles"} ${roles.join(", ")}`;
  printResponse({ roles }, options, terminal, `${which} must have a second factor now.`);
}

async function findUser(api: ApiClient, name: string): Promise<User> {
  const { items } = await api.call("GET /users", {});
  const found = items.find(({ username }) => username === name.trim().toLowerCase());
  if (found === undefined) {
    throw new AppError("cli.no_such_user", `There is no user '${name}'. See npx skedchange users list.`);
  }
  return found;
}

async function readPassword(terminal: Terminal): Promise<string> {
  const bytes = await readStdin(terminal, passwordBytesMax);
  // `echo` and editors add a line end that is not part of the password.
  const password = (bytes ?? Buffer.alloc(0)).toString("utf8").replace(/\r?\n$/, "");
  if (bytes === null)
    throw new AppError("cli.password_too_long", "Standard input has more than one line. Give it the password only.");
  if (password === "") throw new AppError("cli.password_missing", "Standard input is empty. Give it the password.");
  return password;
}
