import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BulkAction, BulkActionFilter } from "../../../src/dashboard/bulk-ports.ts";
import { queriesWith, someCaseId } from "../../builders/case-response.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const id = "019aa000-0000-7000-8000-0000000000b1";
const otherCaseId = "019aa000-0000-7000-8000-000000000009";

const running: BulkAction = {
  id,
  command: { action: "assign", assignee: "ana", note: "Yours from\ntoday on." },
  askedBy: "person:ben",
  token: null,
  askedAt: new Date("2026-11-21T08:00:00Z"),
  state: "running",
  finishedAt: null,
  counts: { total: 5, waiting: 1, accepted: 1, notFound: 1, conflict: 1, refused: 1 },
  rows: [
    {
      caseId: someCaseId,
      orderId: "QX7R2M1A",
      version: 1,
      outcome: "conflict",
      code: "api.case_moved",
      message: "The case has moved.",
      doneAt: new Date("2026-11-21T08:00:01Z"),
      gateway: null,
    },
    {
      caseId: otherCaseId,
      orderId: null,
      version: 1,
      outcome: null,
      code: null,
      message: null,
      doneAt: null,
      gateway: null,
    },
  ],
};

let server: DashboardServer;
let actions: readonly BulkAction[];
let asked: BulkActionFilter | null;
let stops: string[];

beforeAll(async () => {
  server = await startDashboard({
    queries: queriesWith([]),
    bulk: {
      preview: async () => [],
      start: async () => "",
      list: async (filter) => {
        asked = filter;
        const items = actions.map(({ rows: _, ...item }) => item);
        return { items, next: items.length === 0 ? null : { at: "2026-11-21T08:00:00.000000Z", id } };
      },
      read: async (wanted) => actions.find((action) => action.id === wanted) ?? null,
      stop: async (wanted) => {
        const found = actions.find((action) => action.id === wanted);
        if (found === undefined) return null;
        stops.push(wanted);
        return found.state === "running";
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  actions = [running];
  asked = null;
  stops = [];
});

const wide = { columns: 300, environment: { NO_COLOR: "1" } };
const run = (args: readonly string[]) => runCaptured(["bulk", ...args, "--url", server.url], wide);

describe("skedchange bulk list", () => {
  test("prints a line for each with how far it has come, and how to see more", async () => {
    const { exitCode, stdout } = await run(["list"]);

    expect(exitCode).toBe(0);
    const [titles, line, more] = linesOf(stdout);
    expect(titles).toMatch(/^Bulk action +State +Started +By +Cases +Accepted +Skipped +Remaining +Action$/);
    expect(line).toBe(
      `${id}  running  2026-11-21T08:00  person:ben  5      1         3        1          assign assignee=ana (Yours from today on.)`,
    );
    expect(more).toMatch(/^There are more: add --cursor \S+$/);
  });

  test("asks for the state, the page and the number that were given, and prints JSON", async () => {
    const cursor =
      linesOf((await run(["list"])).stdout)[2]
        ?.split(" ")
        .at(-1) ?? "";

    const { stdout } = await run(["list", "--state", "stopped", "--limit", "7", "--cursor", cursor, "--json"]);

    expect(asked).toEqual({
      by: { actor: "person:api", visible: null },
      state: "stopped",
      after: { at: "2026-11-21T08:00:00.000000Z", id },
      limit: 7,
    });
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ id, counts: { total: 5 } }] });
  });

  test("says that there is none, or none of that state", async () => {
    actions = [];

    expect((await run(["list"])).stdout).toBe("No bulk actions yet.\n");
    expect((await run(["list", "--state", "stopped"])).stdout).toBe("No bulk action matches.\n");
  });

  test("is called wrongly with a state that there is not", async () => {
    const { exitCode, stderr } = await run(["list", "--state", "paused"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("Allowed choices are running, stopped, finished.");
    expect(asked).toBeNull();
  });
});

describe("skedchange bulk show", () => {
  test("prints the outcome of each case, and how to stop what is running", async () => {
    const { exitCode, stdout } = await run(["show", id]);

    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toEqual([
      "assign assignee=ana (Yours from today on.)  running",
      "Started by person:ben, 2026-11-21T08:00:00.000Z.",
      "1 of 5 accepted, 1 not possible, 1 changed meanwhile, 1 not found, 1 waiting.",
      "",
      "Order     Outcome   Case                                  Reason",
      `QX7R2M1A  conflict  ${someCaseId}  The case has moved.`,
      `unknown   waiting   ${otherCaseId}`,
      `Stop it with: npx skedchange bulk stop ${id}`,
      "",
    ]);
  });

  test("prints which cases were not changed when it was stopped", async () => {
    actions = [{ ...running, state: "stopped" }];

    const lines = linesOf((await run(["show", id])).stdout);

    expect(lines[2]).toContain("1 not changed.");
    expect(lines).toContain(`unknown   left      ${otherCaseId}`);
    expect(lines.join("\n")).not.toContain("Stop it with");
  });

  test("prints what the API says with --json", async () => {
    expect(JSON.parse((await run(["show", id, "--json"])).stdout)).toMatchObject({ id, rows: [{}, {}] });
  });

  test("does not find one that there is not", async () => {
    const { exitCode, stderr } = await run(["show", someCaseId]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `Error: There is no bulk action with the id '${someCaseId}'. See what there is: npx skedchange bulk list\n`,
    );
  });
});

describe("skedchange bulk stop", () => {
  test("stops what is running", async () => {
    const { exitCode, stdout } = await run(["stop", id]);

    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Stopped. Cases that are done stay done. See them with: npx skedchange bulk show ${id}\n`);
    expect(stops).toEqual([id]);
  });

  test("fails when there is nothing left to stop, and says so", async () => {
    actions = [{ ...running, state: "finished" }];

    const { exitCode, stdout, stderr } = await run(["stop", id]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^Error: The bulk action is over\. /);
  });
});
