import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AddUser, EditUser } from "../../../src/dashboard/people/people.ts";
import type { User } from "../../../src/dashboard/people/ports.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { nobody } from "../../builders/stored-people.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const mlopez: User = {
  id: "019aa000-0000-7000-8000-00000000000a",
  username: "mlopez",
  displayName: "María López",
  role: "agent",
  sources: null,
  disabled: false,
  passwordChangeNeeded: false,
  hasSecondFactor: false,
  secondFactorNeeded: false,
  issuer: null,
  subject: null,
  createdAt: new Date("2026-11-20T10:00:00Z"),
  lastSignInAt: new Date("2026-11-21T08:00:00Z"),
};

let server: DashboardServer;
let users: User[];
let added: AddUser[];
let edits: { id: string; change: EditUser }[];

const neverAsked = async () => {
  throw new Error("nobody signs in here");
};

beforeAll(async () => {
  server = await startDashboard({
    sourceIds: ["berlin", "vienna"],
    queries: queriesWith([]),
    identityProvider: { name: "SSO", issuer: "https://login.example", begin: neverAsked, finish: neverAsked },
    encryptionKeys: [],
    people: {
      ...nobody(),
      listUsers: async () => users,
      findUser: async (id) => users.find((user) => user.id === id) ?? null,
      endSessions: async ({ userId }) => (userId === mlopez.id ? 2 : 0),
      addUser: async (user) => {
        added.push(user);
        if (user.username === "taken") return { outcome: "username-taken" };
        return {
          outcome: "added",
          user: { ...mlopez, username: user.username, role: user.role },
          generatedPassword: user.password === undefined ? "abcde-fghjk-mnpqr-stuvw" : null,
        };
      },
      editUser: async (id, change) => {
        edits.push({ id, change });
        const { password: _password, identity = {}, ...rest } = change;
        return { outcome: "changed", user: { ...mlopez, ...identity, ...rest } };
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  users = [mlopez];
  added = [];
  edits = [];
});

const run = (args: readonly string[], stdin = "") =>
  runCaptured(["users", ...args, "--url", server.url], { stdin, columns: 300, environment: { NO_COLOR: "1" } });

describe("skedchange users add", () => {
  test("adds a user and prints the generated password", async () => {
    const { exitCode, stdout } = await run(["add", "MLopez", "--role", "agent", "--display-name", "María López"]);

    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toEqual([
      "mlopez may sign in as agent.",
      "Password (shown only once): abcde-fghjk-mnpqr-stuvw",
      "It must be changed at the first sign-in.",
      "",
    ]);
    expect(added).toEqual([{ username: "mlopez", displayName: "María López", role: "agent", sources: null }]);
  });

  test("takes the password from standard input, and does not show it", async () => {
    const { exitCode, stdout } = await run(
      ["add", "ann", "--role", "viewer", "--password-stdin"],
      " a good password \n",
    );

    expect(exitCode).toBe(0);
    expect(stdout).toBe("ann may sign in as viewer.\nIt must be changed at the first sign-in.\n");
    expect(added).toMatchObject([{ password: " a good password " }]);
  });

  test.each([
    [["add", "ann", "--role", "viewer", "--password-stdin"], "Error: Standard input is empty. Give it the password.\n"],
    [["add", "ann", "--role", "king"], "Error: role: must be one of viewer, agent, supervisor, admin\n"],
    [["add", "taken", "--role", "viewer"], /^Error: The user name is taken\. User 'taken' already exists\./],
  ])("%j fails and says why", async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);

    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
  });

  test("without a role is called wrongly", async () => {
    expect(await run(["add", "ann"])).toMatchObject({ exitCode: 2 });
  });
});

describe("skedchange users link", () => {
  test("gives the account to a subject of the identity provider", async () => {
    users = [mlopez];

    const { stdout } = await run(["link", "MLopez", "00u1 sub"]);

    expect(edits).toEqual([
      { id: mlopez.id, change: { identity: { issuer: "https://login.example", subject: "00u1 sub" } } },
    ]);
    expect(stdout).toBe("mlopez signs in with https://login.example from now on, and has no password here any more.\n");
  });
});

describe("skedchange users sources", () => {
  test.each([
    [["berlin", "vienna"], ["berlin", "vienna"], "mlopez sees the orders of berlin, vienna now.\n"],
    [[], null, "mlopez sees the orders of all sources now.\n"],
  ])("with %j limits the user to %j", async (args, sources, message) => {
    users = [{ ...mlopez, sources }];

    const { stdout } = await run(["sources", "MLopez", ...args]);

    expect(edits).toEqual([{ id: mlopez.id, change: { sources } }]);
    expect(stdout).toBe(message);
  });
});

describe("skedchange users list", () => {
  test("prints a line for each", async () => {
    users = [
      mlopez,
      { ...mlopez, username: "new", displayName: "New", passwordChangeNeeded: true, lastSignInAt: null },
      { ...mlopez, username: "old", displayName: "Old", disabled: true, lastSignInAt: null },
      { ...mlopez, username: "one", displayName: "One", sources: ["berlin"] },
      { ...mlopez, username: "two", displayName: "Two", hasSecondFactor: true },
      { ...mlopez, username: "sso", displayName: "Sso", issuer: "https://login.example/v2.0", subject: "1" },
    ];

    const { stdout } = await run(["list"]);

    expect(linesOf(stdout)).toEqual([
      "User    Name         Role   Sources  Signs in with      State             Last sign-in",
      "mlopez  María López  agent  all      password           active            2026-11-21T08:00:00.000Z",
      "new     New          agent  all      password           initial password  never",
      "old     Old          agent  all      password           disabled          never",
      "one     One          agent  berlin   password           active            2026-11-21T08:00:00.000Z",
      "two     Two          agent  all      password and code  active            2026-11-21T08:00:00.000Z",
      "sso     Sso          agent  all      login.example      active            2026-11-21T08:00:00.000Z",
      "",
    ]);
  });

  test("says how to add the first", async () => {
    users = [];

    expect((await run(["list"])).stdout).toBe(
      "There are no users yet. Add one: npx skedchange users add <name> --role admin\n",
    );
  });
});

describe("skedchange users", () => {
  test.each([
    [["disable", "mlopez"], "", { disabled: true }, "mlopez is disabled.\n"],
    [["enable", "MLOPEZ"], "", { disabled: false }, "mlopez may sign in again.\n"],
    [["role", "mlopez", "admin"], "", { role: "admin" }, "mlopez is admin now.\n"],
    [["password", "mlopez"], "a better password\n", { password: "a better password" }, /^mlopez has a new password/],
    [
      ["password", "mlopez", "--revoke-tokens"],
      "a better password\n",
      { password: "a better password", revokeTokens: true },
      /^mlopez has a new password/,
    ],
  ])("%j changes that user", async (args, stdin, change, text) => {
    const { exitCode, stdout } = await run(args, stdin);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(text);
    expect(edits).toEqual([{ id: mlopez.id, change }]);
  });

  test("sign-out ends the sessions of that user", async () => {
    const { exitCode, stdout } = await run(["sign-out", "mlopez"]);

    expect(exitCode).toBe(0);
    expect(stdout).toBe("mlopez is signed out: 2 sessions have ended.\n");
  });

  test("changes nobody whom it does not find", async () => {
    const { exitCode, stderr } = await run(["disable", "nobody"]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe("Error: There is no user 'nobody'. See npx skedchange users list.\n");
    expect(edits).toEqual([]);
  });
});
