import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPolicyBacktests } from "../../../src/app/backtest/policy-backtests.ts";
import { openPolicies } from "../../../src/app/policies.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import {
  policyAdded,
  policyOverview,
  policyTermList,
  shadowDifferences,
} from "../../../src/dashboard/api/policy-responses.ts";
import { backtestLine } from "../../../src/dashboard/backtest-ports.ts";
import {
  decisionReevaluation,
  policyCheck,
  policyVersionDetail,
  sourcePolicies,
} from "../../../src/dashboard/policy-ports.ts";
import { shippedMarks } from "../../../src/itinerary/member-marks.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

const observing = readPolicyFile("observe-only").policy.version;

let db: TestDatabase;
let server: DashboardServer;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
  const runtime = await openPolicies({
    sources: [{ id: "default", policyFile: null }],
    store: createPolicyStore(db.database, systemClock),
    database: db.database,
    logger: silentLogger,
  });
  server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    policies: runtime.policies,
    backtests: createPolicyBacktests({
      database: db.database,
      encryptionKeys: [],
      policyOf: runtime.policyOf,
      marksOf: () => shippedMarks,
      threads: null,
      clock: systemClock,
      logger: silentLogger,
    }),
  });
  const body = sampleNotification("minor-delay", { orderId: "API", reference: "APIREF" });
  worker = createWorkerUnderTest(db.database, createScriptedGateway(body), {
    policyOf: runtime.policyOf,
    shadowOf: runtime.shadowOf,
  });
  await activate({ role: "shadow", version: observing });
  await worker.notify(body);
  await worker.work("API");
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

const get = async (path: string) => {
  const response = await server.request(`/api/v1${path}`);
  return { status: response.status, body: await response.json() };
};
const post = async (path: string, body: object) => {
  const response = await server.request(`/api/v1${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const activate = (change: object) =>
  post("/policies/activations", { source: "default", role: "active", note: "agreed", ...change });

describe("/policies", () => {
  test("lists what decides for each source, and every version", async () => {
    const { status, body } = await get("/policies");

    expect(status).toBe(200);
    const { sources, versions } = policyOverview.parse(body);
    expect(sources).toMatchObject([
      { source: "default", active: { name: "cautious" }, shadow: { name: "observe-only", compared: 1, differing: 1 } },
    ]);
    expect(versions.map(({ name }) => name)).toContain("balanced");
  });

  test("takes a policy, and responds to one with mistakes with their places", async () => {
    const text = readPolicyFile("cautious").text.replace(/^name: .*$/m, "name: by-api");

    const added = await post("/policies", { text, note: "a try" });
    const refused = await post("/policies", { text: "version: 1\nname: x\nrules: []" });

    expect(added.status).toBe(201);
    const { version } = policyAdded.parse(added.body);
    const stored = await get(`/policies/versions/${version}`);
    expect(policyVersionDetail.parse(stored.body)).toMatchObject({ name: "by-api", text, createdBy: "person:api" });
    expect(refused).toMatchObject({ status: 422, body: { code: "policy.invalid", problems: [{ line: 3 }] } });
  });

  test("lists the differences of the shadow version", async () => {
    const { body } = await get("/policies/shadow-differences?source=default");

    expect(shadowDifferences.parse(body).items).toMatchObject([
      { orderId: "API", active: { action: "accept" }, shadow: { action: "review" } },
    ]);
  });

  test.each([
    ["/policies/versions/none", "policy.not_found"],
    ["/decisions/none/replay", "api.decision_not_found"],
  ])("responds to %s with 404", async (path, code) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { code } });
  });
});

describe("a version", () => {
  test("is read with its rules in order, the laws that it applies, and when it had a role", async () => {
    const { body } = await get(`/policies/versions/${observing}`);

    const { content, terms, text } = policyVersionDetail.parse(body);
    expect(text).toContain("mode: observe");
    expect(content).toMatchObject({ mode: "observe" });
    expect(content!.rules[0]).toMatchObject({ enabled: true, when: expect.any(String), reads: [expect.any(String)] });
    expect(content!.laws).toContainEqual(expect.objectContaining({ id: "eu-261", isOn: true }));
    expect(terms).toMatchObject([{ source: "default", role: "shadow", note: "agreed", beganBy: "person:api" }]);
  });
});

describe("checking", () => {
  const check = async (text: string) => policyCheck.parse((await post("/policies/check", { text })).body);

  test("reports each mistake with its line, column and rule, and stores nothing", async () => {
    const { text } = readPolicyFile("cautious");
    const line = text.split("\n").findIndex((each) => each.includes("when: ")) + 1;
    const wrong = text.replace(/when: .*/, "when: cancelld");

    const { policy, findings } = await check(wrong);

    expect(policy).toBeNull();
    expect(findings).toMatchObject([{ severity: "error", line, column: expect.any(Number), rule: expect.any(String) }]);
    expect(findings[0]!.message).toContain("Did you mean 'cancelled'?");
  });

  test("names the version that a policy without mistakes would be", async () => {
    const { policy, version } = { ...readPolicyFile("cautious"), version: readPolicyFile("cautious").policy.version };

    expect(await check(policy.text)).toMatchObject({ policy: { name: "cautious", version }, findings: [] });
  });

  test("lists the first hundred of many mistakes", async () => {
    const rules = Array.from(
      { length: 150 },
      (_, index) => `  - { name: r${index}, when: nothing${index}, do: review, reason: r }`,
    );

    expect((await check(`version: 1\nname: many\nrules:\n${rules.join("\n")}\n`)).findings).toHaveLength(100);
  });

  test("refuses a text beyond the limit of the API", async () => {
    const { status, body } = await post("/policies/check", { text: "#".repeat(70_000) });

    expect({ status, body }).toMatchObject({ status: 413, body: { code: "api.body_too_large" } });
  });
});

describe("backtesting", () => {
  const backtest = async (body: object) => {
    const response = await server.request("/api/v1/policies/backtests", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source: "default", ...body }),
    });
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { status: response.status, body: lines.at(-1), lines };
  };

  test("shows what a text that is not stored would change, by what and in which case", async () => {
    const text = readPolicyFile("cautious").text.replaceAll("do: accept", "do: review");

    const { status, lines } = await backtest({ text, days: 7 });

    expect(status).toBe(200);
    const last = backtestLine.parse(lines.at(-1));
    const found = await worker.caseOf("API");
    expect(last).toMatchObject({
      state: "done",
      backtest: {
        compared: 1,
        flipped: 1,
        manual: { before: 0, after: 1 },
        active: { name: "cautious" },
        notifications: { evaluated: 1, bodiesDeleted: 0, isShortened: false },
        changes: [{ from: "accept", to: "review:agent", count: 1, examples: [{ orderId: "API", caseId: found.id }] }],
      },
    });
  });

  test("changes nothing when the version is the active one", async () => {
    const { version } = readPolicyFile("cautious").policy;

    const { lines } = await backtest({ version, newest: 10 });

    expect(backtestLine.parse(lines.at(-1))).toMatchObject({ state: "done", backtest: { compared: 1, changes: [] } });
  });

  test.each([
    ["a source that does not exist", { source: "nowhere", version: observing, days: 7 }, 404, "policy.not_found"],
    ["a version that is not stored", { version: "f".repeat(64), days: 7 }, 404, "policy.not_found"],
    ["a text with mistakes", { text: "version: 1\nname: x\nrules: []", days: 7 }, 422, "policy.invalid"],
    ["no period", { version: observing }, 422, "api.body_invalid"],
    ["both a version and a text", { version: observing, text: "x", days: 7 }, 422, "api.body_invalid"],
    ["too long a period", { version: observing, days: 367 }, 422, "api.body_invalid"],
  ])("refuses %s", async (_, change, status, code) => {
    expect(await backtest(change)).toMatchObject({ status, body: { code } });
  });
});

describe("activating", () => {
  test("activates a version, once for those who saw the same one", async () => {
    const { body } = await get("/policies");
    const replaces = policyOverview.parse(body).sources[0]!.active.version;

    const first = await activate({ version: observing, replaces });
    const second = await activate({ version: observing, replaces });

    expect(first.status).toBe(200);
    expect(sourcePolicies.parse(first.body)).toMatchObject({
      active: { version: observing, beganBy: "person:api", note: "agreed" },
    });
    expect(second).toMatchObject({ status: 409, body: { code: "policy.changed_meanwhile", current: observing } });
    expect((await get("/policies/terms?source=a%00")).status).toBe(400);
    const terms = policyTermList.parse((await get("/policies/terms")).body).items;
    expect(terms.filter(({ role }) => role === "active")).toMatchObject([{ version: observing }, { name: "cautious" }]);
  });

  test.each([
    ["without a note", { version: observing, note: " " }, 422, "api.body_invalid"],
    ["for a source that does not exist", { version: observing, source: "nowhere" }, 404, "policy.not_found"],
    ["of a version that is not kept", { version: "f".repeat(64) }, 404, "policy.not_found"],
    ["of nothing as the active version", { version: null }, 409, "policy.none"],
  ])("%s is refused", async (_, change, status, code) => {
    expect(await activate(change)).toMatchObject({ status, body: { code } });
  });

  test.each([
    ["a source", { version: observing, source: "nowhere" }, "No such source", "There is no source nowhere."],
    [
      "a version",
      { version: "f".repeat(64) },
      "No such policy",
      `There is no policy version ${"f".repeat(64)}. Add it first.`,
    ],
  ])("says which is missing: %s", async (_, change, title, detail) => {
    expect(await activate(change)).toMatchObject({ status: 404, body: { title, detail } });
  });
});

describe("replaying", () => {
  test("gives the same response, also after another version has been activated", async () => {
    const found = await worker.caseOf("API");
    await activate({ version: observing });

    const { status, body } = await get(`/decisions/${found.decision!.id}/replay`);

    expect(status).toBe(200);
    expect(decisionReevaluation.parse(body)).toMatchObject({ caseId: found.id, outcome: "same", because: [] });
  });
});
