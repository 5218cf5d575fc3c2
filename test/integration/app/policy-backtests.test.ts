import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPolicyBacktests, type PolicyBacktestOptions } from "../../../src/app/backtest/policy-backtests.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { shippedMarks } from "../../../src/itinerary/member-marks.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

const { policy, text } = readPolicyFile("cautious");

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(sampleNotification("minor-delay")));
  for (let index = 0; index < 40; index += 1) {
    await worker.notify(sampleNotification("minor-delay", { orderId: `D${index}`, reference: `D${index}` }));
  }
});
afterAll(() => db.drop());

const createBacktests = (options: Partial<PolicyBacktestOptions> = {}) =>
  createPolicyBacktests({
    database: db.database,
    encryptionKeys: [],
    policyOf: () => policy,
    marksOf: () => shippedMarks,
    threads: null,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });

const request = (overrides: object = {}) => ({
  source: "default",
  text,
  period: { days: 30 },
  actor: "person:ana",
  signal: new AbortController().signal,
  onProgress: () => {},
  ...overrides,
});

describe("backtests of a process", () => {
  test("run one at a time, in the order in which they were asked for", async () => {
    const backtests = createBacktests();
    const events: string[] = [];
    const run = (name: string) =>
      backtests.run(request({ onProgress: () => events.push(name) }))!.then(() => events.push(`${name} done`));

    await Promise.all([run("first"), run("second")]);

    expect(events.indexOf("second")).toBeGreaterThan(events.indexOf("first done"));
  });

  test("are refused while five wait, and accepted again afterwards", async () => {
    const backtests = createBacktests();
    const running = Array.from({ length: 6 }, () => backtests.run(request())!);

    expect(backtests.run(request())).toBeNull();
    await Promise.all(running);
    expect(await backtests.run(request())).toMatchObject({ compared: 40 });
  });

  test("leave turns to other work, and end when they are cancelled", async () => {
    const cancelled = new AbortController();
    const progress: number[] = [];
    const backtests = createBacktests();

    const ended = backtests.run(
      request({
        signal: cancelled.signal,
        onProgress: (done: number) => {
          progress.push(done);
          // An immediate gets its turn only if the backtest gives its own up.
          setImmediate(() => cancelled.abort(new Error("cancelled")));
        },
      }),
    );

    await expect(ended).rejects.toThrow("cancelled");
    expect(progress.at(-1)).toBeLessThan(40);
    expect(await backtests.run(request())).toMatchObject({ compared: 40 });
  });

  test("end with the process, also those that wait, and no other one starts", async () => {
    const backtests = createBacktests();
    const ended = [backtests.run(request()), backtests.run(request())];

    backtests.close();

    for (const each of ended) await expect(each).rejects.toThrow("The process is stopping.");
    expect(backtests.run(request())).toBeNull();
  });
});

describe("the period of a backtest", () => {
  test("has the newest notifications only, and says when its days have more than can be evaluated", async () => {
    const newest = await createBacktests().run(request({ period: { newest: 10 } }));
    const shortened = await createBacktests({ notificationsMax: 25 }).run(request());

    expect(newest).toMatchObject({ notifications: { evaluated: 10, isShortened: false } });
    expect(shortened).toMatchObject({ notifications: { evaluated: 25, isShortened: true } });
  });

  test("names the notifications whose bodies are deleted, which nobody can decide again", async () => {
    await sql`
      update skedchange.notifications set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(),
        body_deleted_by = 'retention'
      where id in (select id from skedchange.notifications order by received_at limit 3)`.execute(
      db.ownerDatabase.connection,
    );

    const { notifications, compared } = (await createBacktests().run(request()))!;

    expect({ notifications, compared }).toEqual({
      notifications: { evaluated: 37, bodiesDeleted: 3, isShortened: false },
      compared: 37,
    });
  });
});
