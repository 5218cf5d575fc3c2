import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMembers } from "../../../src/app/members.ts";
import { decidingParts } from "../../../src/app/worker-runtime.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { memberSources } from "../../../src/dashboard/api/member-routes.ts";
import { markPreview, marksChanged, marksOfSource, sourceMembers } from "../../../src/dashboard/member-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createMemberMarkStore } from "../../../src/store/members/member-marks.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMemberRecorder } from "../../../src/worker/member-recorder.ts";
import { settingsOf } from "../../../src/worker/worker-context.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { cautiousPolicy, createWorkerUnderTest } from "../../harness/worker.ts";
import { runCaptured } from "../../unit/cli/captured-terminal.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

const path = "Order.LinkedTours";

let db: TestDatabase;
let server: DashboardServer;

beforeAll(async () => {
  db = await createTestDatabase();
  const policies = { policyOf: () => cautiousPolicy, shadowOf: () => null };
  const runtime: Awaited<ReturnType<typeof openMembers>> = await openMembers({
    sources: [{ id: "default", learnOrders: 0 }],
    store: createMemberMarkStore(db.database, systemClock),
    database: db.database,
    settingsOf: (source) =>
      settingsOf(decidingParts({ policies, members: runtime, sources: [], timing: defaultTiming }), source),
    clock: systemClock,
    logger: silentLogger,
  });
  server = await startDashboard({ queries: createCaseQueries(db.database, dialect), members: runtime.members });
  const body = sampleNotification("minor-delay", { orderId: "MARK", reference: "MARKREF" });
  body.OrderViewRS.Order[0]!["LinkedTours"] = "TOUR-99887766-1";
  const { marksOf, learningOf } = runtime;
  const recorder = createMemberRecorder();
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(body), { marksOf, learningOf, recorder });
  await worker.notify(body);
  await worker.work("MARK");
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

const get = async (route: string) => {
  const response = await server.request(`/api/v1${route}`);
  return { status: response.status, body: await response.json() };
};
const post = async (route: string, body: object) => {
  const response = await server.request(`/api/v1${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const mark = { path, reason: "ids of other systems", replaces: 0 };

describe("/members", () => {
  test("lists the sources, and the members of one with the cases that wait", async () => {
    const sources = memberSources.parse((await get("/members")).body);
    const members = sourceMembers.parse((await get("/members/default?state=open")).body);

    expect(sources.items).toEqual([{ source: "default", openCount: 1, waitingCount: 1, learning: null }]);
    expect(members).toMatchObject({ number: 0, total: 1, items: [{ path, waitingCount: 1, markablePaths: [path] }] });
    expect((await get("/members/default?path=hotel")).body).toMatchObject({ total: 0 });
    expect(await get("/members/nowhere")).toMatchObject({ status: 404, body: { code: "members.source_not_found" } });
  });

  test("finds the cases that wait for a member", async () => {
    const found = await get(`/cases?member=${path}`);
    const other = await get("/cases?member=Order.LinkedHotels");

    expect(found.body).toMatchObject({ items: [{ orderId: "MARK" }] });
    expect(other.body).toMatchObject({ items: [] });
  });

  test("marks after a dry run, refuses the same number once more, and withdraws", async () => {
    const preview = await post("/members/default/marks", { ...mark, dryRun: true });
    const marked = await post("/members/default/marks", mark);
    const again = await post("/members/default/marks", { ...mark, path: "Order.LinkedTours" });
    const late = await post("/members/default/marks/withdraw", mark);
    const withdrawn = await post("/members/default/marks/withdraw", { ...mark, replaces: 1 });

    expect(markPreview.parse(preview.body)).toMatchObject({ waiting: 1, released: 1, actions: { accept: 1 } });
    expect(marked.status).toBe(201);
    expect(marksChanged.parse(marked.body)).toEqual({ number: 1, casesDue: 1 });
    expect(again).toMatchObject({ status: 422, body: { code: "members.already_marked" } });
    expect(late).toMatchObject({ status: 409, body: { code: "members.changed_meanwhile", current: 1 } });
    expect(withdrawn.status).toBe(201);
    const marks = marksOfSource.parse((await get("/members/default/marks")).body);
    expect(marks).toMatchObject({ number: 2, marks: [], changes: [{ change: "withdrawn" }, { change: "marked" }] });
  });

  test("refuses a mark without a reason, and a digest that is none", async () => {
    const withoutReason = await post("/members/default/marks", { ...mark, reason: " " });
    const badDigest = await post("/members/default/marks", { ...mark, valueDigests: ["Guided"] });

    expect(withoutReason).toMatchObject({ status: 422, body: { code: "api.body_invalid" } });
    expect(badDigest).toMatchObject({ status: 422, body: { code: "api.body_invalid" } });
  });
});

describe("skedchange policy explain", () => {
  test("decides by the marks of a source at a running agency side, before which a file counts", async () => {
    const body = sampleNotification("minor-delay", { orderId: "EXPLAIN", reference: "EXPLAINREF" });
    body.OrderViewRS.Order[0]!["LinkedTours"] = "TOUR-99887766-1";
    const folder = await mkdtemp(join(tmpdir(), "skedchange-marks-"));
    const noMarks = join(folder, "marks.yaml");
    await writeFile(noMarks, "marks: []");
    const explain = async (...options: readonly string[]) => {
      const args = ["policy", "explain", "-", "--policy", "cautious", "--json", ...options];
      const { stdout } = await runCaptured(args, { stdin: JSON.stringify(body) });
      return (JSON.parse(stdout) as { readonly action: string }).action;
    };
    const { number } = marksOfSource.parse((await get("/members/default/marks")).body);
    await post("/members/default/marks", { ...mark, replaces: number });

    const actions = [
      await explain(),
      await explain("--url", server.url),
      await explain("--url", server.url, "--marks", noMarks),
    ];

    await rm(folder, { recursive: true });
    expect(actions).toEqual(["review", "accept", "review"]);
  });
});
