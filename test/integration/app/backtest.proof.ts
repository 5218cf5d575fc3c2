import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backtestDecisions, backtestStored } from "../../../src/app/backtest/run-backtest.ts";
import { readPolicyFile, readPolicyText } from "../../../src/app/policy-file.ts";
import { defaultBacktestSettings } from "../../../src/policy/backtest.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

/** More than two batches. */
const delays = 600;
const before = readPolicyFile("cautious").policy;
const after = readPolicyText(before.text.replaceAll("do: accept", "do: review"), "reviewing");

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(sampleNotification("minor-delay")));
  for (let index = 0; index < delays; index += 1) {
    await worker.notify(sampleNotification("minor-delay", { orderId: `DELAY${index}`, reference: `D${index}` }));
  }
  await worker.notify(sampleNotification("cancelled", { orderId: "CANCELLED", reference: "C" }));
  await worker.notify("{}");
});
afterAll(() => db.drop());

const everything = { since: null, until: null, source: null };

function run(range: Partial<typeof everything> | { since: Date } | { until: Date } = {}) {
  const progress: (readonly [number, number | null])[] = [];
  const report = backtestStored({
    database: db.database,
    encryptionKeys: [],
    range: { ...everything, ...range },
    policies: { before, after },
    settings: defaultBacktestSettings,
    threads: null,
    threadsMinBodies: 0,
    onProgress: (done, total) => progress.push([done, total]),
  });
  return { report, progress };
}

describe("a backtest over stored notifications", () => {
  test("decides each of them once, over the ends of batches, and leaves out what is in quarantine", async () => {
    const { report, progress } = run();

    expect(await report).toMatchObject({
      compared: delays + 1,
      flipped: delays,
      unreadable: 0,
      flips: [{ from: "accept", to: "review:agent", count: delays }],
    });
    expect(progress.at(-1)).toEqual([delays + 1, delays + 1]);
  });

  test.each([
    ["since", { since: new Date("2100-01-01T00:00:00Z") }],
    ["until", { until: new Date("2000-01-01T00:00:00Z") }],
    ["source", { source: "nowhere" }],
  ])("reads no further than %s", async (_, range) => {
    expect(await run(range as Parameters<typeof run>[0]).report).toMatchObject({ compared: 0, flips: [] });
  });
});

describe("a backtest over stored decisions", () => {
  test("decides again from what was kept, and compares with what was decided", async () => {
    for (const sample of ["minor-delay", "misconnection"] as const) {
      const body = sampleNotification(sample, { orderId: `KEPT-${sample}`, reference: `K${sample}` });
      const worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
      await worker.notify(body);
      await worker.work(`KEPT-${sample}`);
    }

    const decide = (policy: typeof before) =>
      backtestDecisions(
        { database: db.database, range: everything, settings: defaultBacktestSettings, onProgress: () => {} },
        policy,
      );

    expect(await decide(before)).toMatchObject({ compared: 2, flipped: 0 });
    expect(await decide(after)).toMatchObject({
      compared: 2,
      flipped: 1,
      flips: [{ from: "accept", to: "review:agent", examples: [{ orderId: "KEPT-minor-delay" }] }],
    });
  });
});
