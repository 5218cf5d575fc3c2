import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInstallation } from "../../../src/app/installation.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { AppError } from "../../../src/kernel/app-error.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { createHeartbeat, listProcesses } from "../../../src/store/processes.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let database: TestDatabase;
let server: PeopleServer;
let cookie: string;
let isQueueDown = false;
let checked = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const loaded = loadSettings(
    {
      DATABASE_URL: database.serviceUrl,
      ENCRYPTION_KEYS: createEncryptionKey(new Date()),
      OCN_BASIC_USERNAME: "gateway",
      OCN_BASIC_PASSWORD: "hunter2-0123456789",
      API_TOKEN: "hunter2-0123456789",
      ROLES: "dashboard",
      PORT: "0",
    },
    () => "",
  );
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  let aheadMs = 0;
  const checks = [
    {
      name: "queue",
      isNeeded: false,
      async check() {
        checked++;
        if (isQueueDown) throw new AppError("queue.unreachable", "redis://user:hunter2@redis does not respond.");
      },
    },
  ];
  // Each question comes later than a result serves.
  const clock = { now: () => new Date(Date.now() + (aheadMs += 3_000)) };
  server = await startPeopleServer({
    database,
    installation: createInstallation({
      configuration: loaded.configuration,
      checks,
      listProcesses: () => listProcesses(database.database),
      clock,
    }),
  });
  cookie = (await server.signedIn("the-supervisor", "supervisor")).cookie;
});
afterAll(() => server.close());

interface Health {
  readonly items: readonly { readonly subject: string; readonly state: string; readonly detail: string }[];
}

async function readHealth(): Promise<Health> {
  const { status, body } = await server.send("GET", "/health", { cookie });
  expect(status).toBe(200);
  return body;
}

describe("health and settings", () => {
  test("a supervisor reads the version, the roles and every setting, and no secret", async () => {
    const { status, body } = await server.send("GET", "/settings", { cookie });

    expect(status).toBe(200);
    expect(body).toMatchObject({ demo: false, roles: ["dashboard"], version: expect.stringMatching(/^\d+\./) });
    expect(body).toHaveProperty(
      "items",
      expect.arrayContaining([expect.objectContaining({ name: "ROLES", value: "dashboard", isDefault: false })]),
    );
    expect(JSON.stringify(body)).not.toMatch(/hunter2/);
  });

  test("the health is what the doctor finds, and whether this process is ready", async () => {
    const { items } = await readHealth();

    expect(items[0]).toMatchObject({ subject: "this process", state: "ok", detail: "Ready for work." });
    expect(items.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["database", "processes", "backlog", "audit", "notifications default"]),
    );
    isQueueDown = true;
    await readHealth();
    const later = await readHealth();
    isQueueDown = false;
    expect(later.items[0]).toMatchObject({ subject: "this process", state: "problem" });
    expect(later.items[0]?.detail).toMatch(/^Ready, but cases wait\. .*does not respond/);
    expect(JSON.stringify(later)).not.toMatch(/hunter2/);
  });

  test("the processes that run are listed with their roles", async () => {
    const read = async () => (await server.send("GET", "/processes", { cookie })).body;
    const sender = createHeartbeat(database.database, systemClock, { roles: ["sender"], version: "1.2.3" });
    await sender.give(null);
    expect(await read()).toEqual({
      items: [{ roles: ["sender"], version: "1.2.3", startedAt: expect.stringMatching(/Z$/) }],
    });

    await sender.remove();
    expect(await read()).toEqual({ items: [] });
  });

  test("is examined once for all who ask within 5 seconds", async () => {
    await readHealth();
    await readHealth();
    const before = checked;
    await readHealth();
    await readHealth();
    expect(checked).toBe(before + 1);
  });
});
