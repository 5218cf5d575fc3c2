import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { messageOf } from "../../src/kernel/app-error.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { startServerProcess } from "../harness/server-process.ts";
import { lastReleaseFixture, makeTables } from "../upgrade/load-fixture.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-start-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await db.drop();
});

function settings(changes: Record<string, string>): Record<string, string> {
  return {
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "receiver,worker,dashboard",
    OCN_BEARER_TOKENS: "token",
    GATEWAY_BASE_URL: "http://127.0.0.1:9",
    GATEWAY_ACCESS_TOKEN: "access",
    API_TOKEN: "api-secret",
    ...changes,
  };
}

/** What it said before it ended. */
async function refusal(changes: Record<string, string>): Promise<string> {
  try {
    const server = await startServerProcess(settings(changes));
    await server.end("SIGKILL");
    return "it started";
  } catch (error) {
    return messageOf(error);
  }
}

describe("a process refuses to start", () => {
  test("with a policy file that has mistakes, and shows each with its line", async () => {
    const file = join(folder, "policy.yaml");
    await writeFile(file, "name: mine\nrules:\n  - id: broken\n    when: facts.nonsense >\n");

    const printed = await refusal({ POLICY_FILE: file });
    expect(printed).toContain("it ended before");
    expect(printed).toContain(file);
    expect(printed).toMatch(/policy\.yaml:\d+:\d+/);
  });

  test("on a database without our schema when it may not migrate, and says what to set", async () => {
    const empty = await createEmptyDatabase();
    try {
      const printed = await refusal({ DATABASE_URL: empty.serviceUrl, DATABASE_OWNER_URL: empty.serviceUrl });
      expect(printed).toContain("it ended before");
      expect(printed).toContain("DATABASE_OWNER_URL");
    } finally {
      await empty.drop();
    }
  });

  test("on a schema that lacks a migration when it connects as the service role, and says what to run", async () => {
    const behind = await createEmptyDatabase();
    try {
      await makeTables(lastReleaseFixture, behind);
      const printed = await refusal({ DATABASE_URL: behind.serviceUrl, DATABASE_OWNER_URL: "" });
      expect(printed).toContain("it ended before");
      expect(printed).toContain("store.schema_older");
      expect(printed).toContain("The database lacks migration 000080_since_0_3_0");
      expect(printed).toContain("npx skedchange migrate");
      expect(printed).toContain("DATABASE_OWNER_URL");
    } finally {
      await behind.drop();
    }
  });

  test("without a key for what is stored, naming all that is missing and showing no secret", async () => {
    const printed = await refusal({ ENCRYPTION_KEYS: "", OCN_BEARER_TOKENS: "" });
    expect(printed).toContain("ENCRYPTION_KEYS is not set");
    expect(printed).not.toContain("api-secret");
  });
});
