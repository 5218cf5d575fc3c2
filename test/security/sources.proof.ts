import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { sampleNotification } from "../builders/sample-notification.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { type ServerUnderAttack, startServerUnderAttack } from "./server-under-attack.ts";

// A server starts in real time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const apiToken = "a-good-token-of-the-api-0123456789";
const user = { username: "ann", password: "correct horse battery" };

let folder: string;
let server: ServerUnderAttack;

beforeAll(async () => {
  folder = await makeTestFolder();
  const gateway = { base_url: "http://127.0.0.1:1", access_token: "none" };
  const sources = ["north", "south"].map((id) => ({ id, gateway, bearer_tokens: [tokenOf(id)] }));
  const file = join(folder, "sources.yaml");
  await writeFile(file, stringify({ sources }));
  server = await startServerUnderAttack({
    DATA_DIR: join(folder, "data"),
    ROLES: "receiver,dashboard",
    SOURCES_FILE: file,
    API_TOKEN: apiToken,
    LOG_LEVEL: "error",
  });
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

function tokenOf(source: string): string {
  return `a-good-token-of-${source}-0123456789`;
}

async function send(method: string, path: string, token: string, body: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return await fetch(`${server.agencyUrl}${path}`, { method, headers, body: JSON.stringify(body) });
}

test("somebody who sees one source reads nothing of another one (L11)", async () => {
  for (const source of ["north", "south"]) {
    const body = sampleNotification("minor-delay", { orderId: `ORDER-${source}` });
    expect((await send("POST", `/ocn/${source}`, tokenOf(source), body)).status).toBe(200);
  }
  const added = await send("POST", "/api/v1/users", apiToken, { ...user, role: "agent", sources: ["north"] });
  expect(added.status).toBe(201);

  const cookie = await signIn();
  const get = (path: string, credential: Record<string, string>) =>
    fetch(`${server.agencyUrl}/api/v1${path}`, { headers: credential });
  const all = await get("/notifications", { Authorization: `Bearer ${apiToken}` });
  const { items } = (await all.json()) as { items: readonly { readonly id: string; readonly source: string }[] };
  expect(items.map(({ source }) => source).sort()).toEqual(["north", "south"]);
  for (const { id, source } of items) {
    const { status } = await get(`/notifications/${id}/body`, { Cookie: cookie });
    expect([source, status]).toEqual([source, source === "north" ? 200 : 404]);
  }
  expect(await (await get("/notifications", { Cookie: cookie })).text()).not.toContain("south");
});

/** Changes the initial password first. @returns the cookie of a session */
async function signIn(): Promise<string> {
  const json = { "Content-Type": "application/json" };
  const session = (password: string) =>
    fetch(`${server.agencyUrl}/api/v1/session`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ username: user.username, password }),
    });
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(";")[0]!;
  const first = await session(user.password);
  expect(first.status).toBe(200);
  const newPassword = "another horse, another battery";
  const changed = await fetch(`${server.agencyUrl}/api/v1/session/password`, {
    method: "POST",
    headers: { ...json, Cookie: cookieOf(first), Origin: server.agencyUrl },
    body: JSON.stringify({ currentPassword: user.password, newPassword }),
  });
  expect(changed.status).toBe(204);
  return cookieOf(await session(newPassword));
}
