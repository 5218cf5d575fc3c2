import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { alignPeriods } from "../../../src/app/stored-periods.ts";
import {
  type RetentionPeriods,
  readRetentionPeriods,
  storeRetentionPeriods,
} from "../../../src/store/retention/retention-periods.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 30, casesDays: 0 }));

const stored = (): Promise<RetentionPeriods> => readRetentionPeriods(db.database);

function migrate(environment: Readonly<Record<string, string>>) {
  return runCaptured(["migrate"], { environment: { DEMO: "1", DATABASE_URL: db.serviceUrl, ...environment } });
}

test("skedchange migrate stores the periods of the settings, and says so when they are others than before", async () => {
  const settings = { DATABASE_OWNER_URL: db.ownerUrl, RETENTION_BODIES_DAYS: "90", RETENTION_CASES_DAYS: "1" };
  const saying = "retention keeps bodies for 90 days and cases for 1 day from now on";

  expect(linesOf((await migrate(settings)).stdout)).toContain(saying);
  expect(await stored()).toEqual({ bodiesDays: 90, casesDays: 1 });
  expect(linesOf((await migrate(settings)).stdout)).not.toContain(saying);
});

test("skedchange migrate without the settings stores that everything is kept", async () => {
  expect((await migrate({ DATABASE_OWNER_URL: db.ownerUrl })).exitCode).toBe(0);

  expect(await stored()).toEqual({ bodiesDays: 0, casesDays: 0 });
});

test("skedchange migrate with the service role fails if the periods differ, and names the setting that it lacks", async () => {
  const run = await migrate({ RETENTION_BODIES_DAYS: "1" });

  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("that role in DATABASE_OWNER_URL") });
  expect(await stored()).toEqual({ bodiesDays: 30, casesDays: 0 });
  expect((await migrate({ RETENTION_BODIES_DAYS: "30" })).exitCode).toBe(0);
});

async function alignAs(ownerUrl: string, bodiesDays: number): Promise<readonly object[]> {
  const lines: object[] = [];
  const log = (fields: object, message: string) => void lines.push({ ...fields, message });
  await alignPeriods({
    storage: { serviceUrl: db.serviceUrl, ownerUrl },
    database: db.database,
    settings: { RETENTION_BODIES_DAYS: bodiesDays, RETENTION_CASES_DAYS: 0 },
    logger: { ...silentLogger, info: log, warn: log },
  });
  return lines;
}

test("a worker that starts with the owner's rights stores the periods of its settings", async () => {
  expect(await alignAs(db.ownerUrl, 60)).toMatchObject([{ message: "retention.periods_stored", bodiesDays: 60 }]);

  expect(await stored()).toEqual({ bodiesDays: 60, casesDays: 0 });
  expect(await alignAs(db.ownerUrl, 60)).toEqual([]);
});

test("a worker that starts without them warns of settings that differ from what is stored, and says what to do", async () => {
  expect(await alignAs(db.serviceUrl, 10)).toMatchObject([
    {
      message: "retention.periods_differ",
      detail:
        "The settings keep bodies for 10 days and cases for ever, the database bodies for 30 days and cases for ever. Each goes after the longer of the two.",
      advice: expect.stringContaining("`skedchange migrate` with DATABASE_OWNER_URL"),
    },
  ]);

  expect(await stored()).toEqual({ bodiesDays: 30, casesDays: 0 });
  expect(await alignAs(db.serviceUrl, 30)).toEqual([]);
});

test("a database that cannot be reached as the owner is named with the setting to check, and keeps no worker from its start", async () => {
  const away = "postgres://owner:DBSECRET@127.0.0.1:1/orders";

  const run = await migrate({ DATABASE_OWNER_URL: away, RETENTION_BODIES_DAYS: "90" });
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Check DATABASE_OWNER_URL") });

  const lines = await alignAs(away, 90);
  expect(lines).toMatchObject([{ message: "retention.periods_differ" }]);
  expect(run.stderr + JSON.stringify(lines)).not.toContain("DBSECRET");
});
