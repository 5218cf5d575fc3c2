import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseTask, TaskFilter } from "../../../src/dashboard/task-ports.ts";
import { queriesWith, someCaseId } from "../../builders/case-response.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const id = "019aa000-0000-7000-8000-0000000000c1";

const open: CaseTask = {
  id,
  caseId: someCaseId,
  orderId: "QX7R2M1A",
  source: "default",
  kind: "check-refund",
  reasons: [{ code: "refund-lower", text: "Less money came back than expected." }],
  openedAt: new Date("2026-11-21T08:00:00Z"),
  assignee: null,
  gdsBookingReferences: ["AAK2D4"],
  flights: [],
  byEvent: false,
  closedAt: null,
  closedBy: null,
  closedToken: null,
  note: null,
  dueBy: { at: new Date("2026-12-02T22:59:59Z"), rule: "refund", overdue: false },
};

let server: DashboardServer;
let tasks: readonly CaseTask[];
let asked: TaskFilter | null;
let closings: unknown[];

beforeAll(async () => {
  server = await startDashboard({
    queries: queriesWith([]),
    tasks: {
      list: async (filter) => {
        asked = filter;
        return { items: tasks, next: null };
      },
      close: async (ids, by) => {
        const found = tasks.filter((task) => ids.includes(task.id));
        closings.push(...found.map((task) => ({ id: task.id, ...by })));
        return {
          changed: found.filter(({ closedAt }) => closedAt === null).map((task) => task.id),
          closedBefore: found.filter(({ closedAt }) => closedAt !== null).map((task) => task.id),
        };
      },
      assign: async () => "assignee-refused",
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  tasks = [open];
  asked = null;
  closings = [];
});

const wide = { columns: 300, environment: { NO_COLOR: "1" } };
const run = (args: readonly string[]) => runCaptured(["tasks", ...args, "--url", server.url], wide);

describe("skedchange tasks list", () => {
  test("prints a line for each that is left, with why it is there and by when it must be done", async () => {
    const { exitCode, stdout } = await run(["list"]);

    expect(exitCode).toBe(0);
    expect(asked).toMatchObject({ state: "open", kind: null, limit: 50 });
    const [titles, line] = linesOf(stdout);
    expect(titles).toMatch(/^Task +Order +What +Since +Due +Why$/);
    expect(line).toBe(
      `${id}  QX7R2M1A  check-refund  2026-11-21T08:00  2026-12-02T22:59  Less money came back than expected.`,
    );
  });

  test("marks what is overdue, and prints who closed a task and what they found", async () => {
    const dueBy = { at: new Date("2026-11-21T09:00:00Z"), rule: "refund", overdue: true };
    const closedAt = new Date("2026-11-21T10:00:00Z");
    tasks = [
      { ...open, dueBy },
      { ...open, dueBy: null, closedAt, closedBy: "person:ana", note: "Asked\nthe airline." },
    ];

    const [, overdue, closed] = linesOf((await run(["list", "--state", "all"])).stdout);

    expect(asked).toMatchObject({ state: null });
    expect(overdue).toContain("2026-11-21T09:00 overdue");
    expect(closed).toMatch(/2026-11-21T10:00 by person:ana +Less money came back than expected\. Asked the airline\.$/);
  });

  test("asks for the state, the kind, the assignee and the number that were given, and prints JSON", async () => {
    const filters = ["--state", "closed", "--kind", "check-ticket", "--assignee", "none", "--limit", "7"];
    const { stdout } = await run(["list", ...filters, "--json"]);

    expect(asked).toMatchObject({ state: "closed", kind: "check-ticket", assignee: { actor: null }, limit: 7 });
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ id }], nextCursor: null });
  });

  test("says that nothing is left, or that nothing matches", async () => {
    tasks = [];

    expect((await run(["list"])).stdout).toBe("No open tasks.\n");
    expect((await run(["list", "--kind", "check-ticket"])).stdout).toBe("No task matches.\n");
  });

  test.each([
    [["list", "--state", "done"], "Allowed choices are open, closed, all."],
    [["list", "--kind", "nap"], "Allowed choices are check-ticket, check-refund, check-services, inform-traveller."],
    [["close"], "missing required argument 'id'"],
  ])("is called wrongly by %j", async (args, message) => {
    const { exitCode, stderr } = await run(args);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("skedchange tasks close", () => {
  test("closes a task with what was found", async () => {
    const { exitCode, stdout } = await run(["close", id, "--note", "Asked the airline."]);

    expect(exitCode).toBe(0);
    expect(stdout).toBe(`The task ${id} is done.\n`);
    expect(closings).toEqual([{ id, actor: "person:api", visible: null, note: "Asked the airline." }]);
  });

  test("needs no note, and prints what the API says with --json", async () => {
    expect(JSON.parse((await run(["close", id, "--json"])).stdout)).toEqual({ id, state: "closed" });
    expect(closings).toEqual([{ id, actor: "person:api", visible: null, note: null }]);
  });

  test.each([
    ["that somebody has closed before", id, /^Error: The task is closed already\. /],
    [
      "that there is not",
      someCaseId,
      /^Error: There is no task .*\. See what there is: npx skedchange tasks list --state all\n$/,
    ],
    ["by something that is no id", "QX7R2M1A", /^Error: There is no task with the id 'QX7R2M1A'\. See /],
  ])("fails for one %s", async (_, wanted, message) => {
    tasks = [{ ...open, closedAt: new Date("2026-11-21T10:00:00Z"), closedBy: "person:ana" }];

    const { exitCode, stdout, stderr } = await run(["close", wanted]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
