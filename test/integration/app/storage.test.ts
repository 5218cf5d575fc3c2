import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStorage } from "../../../src/app/storage.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { codeOf, messageOf } from "../../../src/kernel/app-error.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** Opens the database of these settings; a demo needs no others. */
async function open(environment: Record<string, string>): Promise<unknown> {
  const loaded = loadSettings({ DEMO: "1", ...environment }, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return openStorage(loaded.configuration, {}, { print: () => {} });
}

describe("a database that cannot be used", () => {
  test("is named with the setting to check, and without the password", async () => {
    const error: unknown = await open({ DATABASE_URL: "postgres://app:DBSECRET@127.0.0.1:1/orders" }).catch(
      (reason: unknown) => reason,
    );

    expect(codeOf(error)).toBe("app.database_unusable");
    expect(messageOf(error)).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:1\/orders cannot be used: .*ECONNREFUSED 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Check DATABASE_URL, /,
    );
    expect(messageOf(error)).not.toContain("DBSECRET");
  });

  test("is distinguished from one that does not exist on a running server", async () => {
    const url = new URL(database.serviceUrl);
    url.pathname = "/no_such_database";

    await expect(open({ DATABASE_URL: url.href })).rejects.toMatchObject({
      code: "app.database_unusable",
      message: expect.stringContaining('database "no_such_database" does not exist (3D000)'),
    });
  });
});
