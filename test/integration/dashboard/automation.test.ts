import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { automationResumed, automationState } from "../../../src/dashboard/api/automation-routes.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createAutomation } from "../../../src/store/cases/automation.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";
import { runCaptured } from "../../unit/cli/captured-terminal.ts";
import { apiToken, type DashboardServer, startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;
let server: DashboardServer;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    automation: createAutomation(db.database, systemClock, { sources: ["default", "other"] }),
  });
});
afterAll(async () => {
  await server.close();
  await db.drop();
});
afterEach(async () => {
  await post("/automation/resume", {});
  await post("/automation/resume", { source: "other" });
});

const get = async (path: string) => (await server.request(`/api/v1${path}`)).json();
const post = async (path: string, body: object) => {
  const response = await server.request(`/api/v1${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const stop = async (note = "Wrong limits.") =>
  automationState.parse((await post("/automation/stop", { note })).body).stop!;

describe("/automation", () => {
  test("reports that automation is on", async () => {
    expect(automationState.parse(await get("/automation"))).toEqual({ stopped: false, stop: null, stops: [] });
  });

  test("stops automation, and reports since when, by whom and why", async () => {
    const { status, body } = await post("/automation/stop", { note: " Wrong limits. " });

    expect(status).toBe(200);
    const state = automationState.parse(body);
    expect(state).toMatchObject({ stopped: true, stop: { stoppedBy: "person:api", note: "Wrong limits." } });
    expect(await get("/automation")).toEqual(state);
  });

  test("stopping twice leaves the first stop as it is", async () => {
    const first = await stop();

    expect(await stop("Me too.")).toEqual(first);
  });

  test("a stop without a reason is refused", async () => {
    expect(await post("/automation/stop", { note: " " })).toMatchObject({
      status: 422,
      body: { code: "api.body_invalid" },
    });
    expect(await get("/automation")).toMatchObject({ stopped: false });
  });

  test("resuming ends the stop that was seen, and no other", async () => {
    const seen = await stop();
    await post("/automation/resume", { stopId: seen.id });
    const next = await stop("Again: the airline sends nonsense.");

    const late = await post("/automation/resume", { stopId: seen.id });
    expect(late).toMatchObject({
      status: 409,
      body: {
        code: "automation.stopped_again",
        detail: expect.stringMatching(/^token API_TOKEN stopped automation again at /),
        current: { id: next.id },
      },
    });
    expect(await get("/automation")).toMatchObject({ stopped: true });

    const resumed = await post("/automation/resume", { stopId: next.id });
    expect(automationResumed.parse(resumed.body)).toEqual({ stopped: false, stop: null, stops: [], casesDue: 0 });
  });

  test("one source is stopped and resumed by itself, beside all of them together", async () => {
    const { body } = await post("/automation/stop", { source: "other", note: "Its statuses are old." });
    expect(automationState.parse(body)).toMatchObject({
      stopped: false,
      stop: null,
      stops: [{ source: "other", cause: "person", note: "Its statuses are old." }],
    });
    await stop();
    expect(await get("/automation")).toMatchObject({ stopped: true, stops: [{ source: null }, { source: "other" }] });

    expect(await post("/automation/resume", {})).toMatchObject({ body: { stops: [{ source: "other" }] } });
    expect(await post("/automation/resume", { source: "other" })).toMatchObject({ body: { stops: [] } });
  });

  test("a source that there is not is named", async () => {
    expect(await post("/automation/stop", { source: "elsewhere", note: "?" })).toMatchObject({
      status: 404,
      body: { code: "automation.source_not_found", detail: "There is no source 'elsewhere'." },
    });
  });

  test("resuming what is not stopped changes nothing", async () => {
    expect(await post("/automation/resume", {})).toMatchObject({ status: 200, body: { stopped: false, casesDue: 0 } });
  });
});

describe("skedchange automation", () => {
  const run = (...args: readonly string[]) =>
    runCaptured(["automation", ...args, "--url", server.url, "--token", apiToken]);

  test("stops automation, reports that it is stopped, and resumes it", async () => {
    expect((await run("status")).stdout).toBe("Automation is on.\n");

    const stopped = await run("stop", "--note", "Wrong limits.");
    expect(stopped.exitCode).toBe(0);
    expect(stopped.stdout).toMatch(/^Automation has been stopped since \S+Z by token API_TOKEN: Wrong limits\.\n$/);
    expect((await run("status")).stdout).toBe(stopped.stdout);

    const resumed = await run("resume");
    expect(resumed).toMatchObject({
      exitCode: 0,
      stdout: "Automation is resumed. No case waited only because of the stop.\n",
    });
    expect((await run("resume")).stdout).toBe("Automation was not stopped.\n");
  });

  test("stops and resumes one source", async () => {
    expect((await run("stop", "--source", "other", "--note", "Old statuses.")).stdout).toMatch(
      /^Automation of source other has been stopped since \S+Z by token API_TOKEN: Old statuses\.\n$/,
    );
    expect((await run("resume")).stdout).toMatch(
      /^There is no stop of all sources together\. To resume what is stopped, name it .*:\nAutomation of source other has/,
    );
    expect((await run("resume", "--source", "other")).stdout).toBe(
      "Automation of source other is resumed. No case waited only because of the stop.\n",
    );
  });

  test("prints how many cases are decided again", async () => {
    await stop();
    const body = sampleNotification("minor-delay", { orderId: "STOPPED", reference: "STOPPD" });
    const worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
    await worker.notify(body);
    await worker.work("STOPPED");

    const { stdout } = await run("resume");

    expect(stdout).toContain("1 case that waited only because of the stop is decided again.");
  });

  test("prints the response of the API as it comes", async () => {
    const stopped = JSON.parse((await run("stop", "--note", "Wrong limits.", "--json")).stdout) as object;

    expect(automationState.parse(stopped)).toMatchObject({ stopped: true });
    expect(JSON.parse((await run("status", "--json")).stdout)).toEqual(stopped);
    expect(automationResumed.parse(JSON.parse((await run("resume", "--json")).stdout))).toMatchObject({ casesDue: 0 });
  });

  test("a stop without a note is a wrong call", async () => {
    expect(await run("stop")).toMatchObject({ exitCode: 2 });
    expect(await get("/automation")).toMatchObject({ stopped: false });
  });
});
