import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseAction, CaseActionOutcome } from "../../../src/cases/case-command.ts";
import { type CaseQuery, caseListQuery } from "../../../src/dashboard/case-filter-ports.ts";
import type { CaseDetail } from "../../../src/dashboard/case-ports.ts";
import { noConnectionMinutes } from "../../../src/itinerary/connection-facts.ts";
import { known } from "../../../src/kernel/fact.ts";
import { aCaseDetail, queriesWith, someCaseId } from "../../builders/case-response.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

let server: DashboardServer;
let cases: CaseDetail[];
let asked: CaseQuery[];
let actions: CaseAction[];
let outcome: CaseActionOutcome;

beforeAll(async () => {
  server = await startDashboard({
    queries: {
      ...queriesWith([]),
      listCases: (query) => {
        asked.push(query);
        return queriesWith(cases).listCases(query);
      },
      readCase: (...asked) => queriesWith(cases).readCase(...asked),
    },
    act: async (action) => {
      actions.push(action);
      return outcome;
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  cases = [aCaseDetail()];
  asked = [];
  actions = [];
  outcome = { outcome: "accepted", caseId: someCaseId, state: "checking", decisionId: null };
});

const run = (args: readonly string[], options = {}) => runCaptured([...args, "--url", server.url], options);

describe("skedchange cases", () => {
  test("prints a line for each case, with its id where there is room", async () => {
    const { exitCode, stdout } = await run(["cases"], { columns: 300 });

    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toEqual([
      "Order     References     State           What changed                Decision  Reason                                 Case",
      `QX7R2M1A  ABC123,DEF456  awaiting-agent  LH 400 leaves 45 min later  review    No rule matched, so an agent decides.  ${someCaseId}`,
      "",
    ]);
  });

  test("prints only rows in a pipe, with every column between tabs", async () => {
    const { stdout } = await run(["cases"]);
    const empty = await run(["cases", "--state", "done"]);

    expect(stdout.split("\t")).toEqual([
      "QX7R2M1A",
      "ABC123,DEF456",
      "awaiting-agent",
      "LH 400 leaves 45 min later",
      "review",
      "No rule matched, so an agent decides.",
      `${someCaseId}\n`,
    ]);
    expect(empty).toEqual({ exitCode: 0, stdout: "", stderr: "No case matches.\n" });
  });

  test.each([
    [80, "Order     State           What changed                Reason"],
    [120, "Order     References     State           What changed "],
  ])("shows whole sentences on a terminal of %i columns", async (columns, titles) => {
    const { stdout } = await run(["cases"], { columns });

    const lines = linesOf(stdout);
    expect(lines[0]).toContain(titles);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(stdout).not.toContain("…");
  });

  test("colours states on a terminal, and not with NO_COLOR or in a pipe", async () => {
    const escape = "\u001b[";

    expect((await run(["cases"], { columns: 120 })).stdout).toContain(escape);
    expect((await run(["cases"], { columns: 120, environment: { NO_COLOR: "1" } })).stdout).not.toContain(escape);
    expect((await run(["cases"])).stdout).not.toContain(escape);
  });

  test("passes filters on, and says so when nothing matches", async () => {
    expect((await run(["cases", "--state", "done", "--order", "QX7R2M1A"])).stderr).toBe("No case matches.\n");
    expect((await run(["cases", "--state", "awaiting-agent"])).stdout).toContain("QX7R2M1A");
  });

  test("has an option for every filter of the API, described in its help", async () => {
    const { stdout } = await run(["cases", "--help"]);

    const { order: _, cursor: _cursor, limit: _limit, orderId: _orderId, q: _q, ...others } = caseListQuery.shape;
    const flags = Object.keys(others).map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    for (const flag of ["order", "search", ...flags])
      expect(stdout).toMatch(new RegExp(`^ {2}--${flag} .*\\w{4}`, "m"));
    expect(stdout).toMatch(/--value-min <min> +at least this price; needs --currency\n/);
  });

  test("passes each filter on under the name that the API has for it", async () => {
    const given = {
      "--order": "QX7R2M1A",
      "--severities": "major,unknown",
      "--airline": "lh",
      "--opened-from": "2026-11-20T10:00:00+01:00",
      "--currency": "EUR",
      "--value-min": "500",
      "--search": "abc",
    };

    const { exitCode } = await run(["cases", "--overdue", ...Object.entries(given).flat()]);

    expect(exitCode).toBe(0);
    expect(asked).toMatchObject([
      {
        orderId: "QX7R2M1A",
        severities: ["major", "unknown"],
        airline: "LH",
        openedFrom: "2026-11-20T09:00:00.000Z",
        value: { currency: "EUR", min: "500" },
        words: ["abc"],
        overdue: true,
      },
    ]);
  });

  test("says which time it cannot read", async () => {
    expect((await run(["cases", "--departs-before", "soon"])).stderr).toMatch(
      /'--departs-before <instant>' argument 'soon' is invalid\. Give an instant with its zone/,
    );
  });

  test("says how to see more", async () => {
    cases = [aCaseDetail(), aCaseDetail({ orderId: "SECOND" })];

    const { stderr } = await run(["cases", "--limit", "1"]);

    expect(stderr).toMatch(/There are more: add --cursor [\w-]+\n$/);
  });

  test("prints the response of the API with --json", async () => {
    const { stdout } = await run(["cases", "--json"]);

    expect(JSON.parse(stdout)).toMatchObject({ items: [{ orderId: "QX7R2M1A" }], nextCursor: null });
  });

  test("shows the API's words for a state that does not exist", async () => {
    const { exitCode, stdout, stderr } = await run(["cases", "--state", "lost"]);

    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("'state' names the unknown state 'lost'; allowed are received, checking");
  });
});

describe("skedchange case", () => {
  test("prints what a decision needs, by the id of the case", async () => {
    const { exitCode, stdout } = await run(["case", someCaseId]);

    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toEqual([
      "Order QX7R2M1A  ABC123, DEF456  awaiting-agent in queue agent",
      "LH 400 leaves 45 min later",
      `case ${someCaseId} · source default · version 4 · priority 5 · opened 2026-11-20 10:00:00Z · departs 2026-12-01 09:00:00Z`,
      "The airline allows: accept Y, cancel N, reschedule unknown (missing-flag)",
      "",
      "Flights",
      "  Booked                                      Proposed",
      "  LH 400 2026-12-01 10:00 FRA T1 → 18:00 JFK  LH 400 2026-12-01 10:45 FRA T1 → 18:00 JFK",
      "",
      "Decision",
      "  review by policy, rule default, 2026-11-20 10:00:05Z",
      "  - No rule matched, so an agent decides.",
      "",
      "Passenger rights",
      "  No law was looked at for this decision.",
      "",
      "Every fact, rule and event: --all",
      "",
    ]);
  });

  test("names the facts that the deciding rule read, and never a placeholder for none", async () => {
    const facts = {
      departureLaterMinutes: known(45),
      shortestConnectionMinutes: known(noConnectionMinutes),
      dateChanged: known(false),
    };
    const decided = { rule: "late", action: "review", outcome: "matched", checks: [], reads: facts };
    const [decision] = aCaseDetail().decisions;
    cases = [aCaseDetail({ facts, decisions: [{ ...decision, trace: [decided] }] } as unknown as Partial<CaseDetail>)];

    expect((await run(["case", "QX7R2M1A"])).stdout).toContain(
      "Facts\n  Fact                   Value\n  departureLaterMinutes  45\n\n",
    );
    expect((await run(["case", "QX7R2M1A", "--all"])).stdout).toMatch(/shortestConnectionMinutes +no connection/);
  });

  test("prints everything with --all", async () => {
    const { stdout } = await run(["case", someCaseId, "--all"]);

    expect(linesOf(stdout).slice(linesOf(stdout).indexOf("Decision"))).toEqual([
      "Decision",
      "  review by policy, rule default, 2026-11-20 10:00:05Z",
      "  - No rule matched, so an agent decides.",
      "",
      "Facts",
      "  Fact                   Value",
      "  departureLaterMinutes  45",
      "  dateChanged            no",
      "  ticketed               unknown (no-ticket-status)",
      "  connectingAirports     none",
      "",
      "Passenger rights",
      "  No law was looked at for this decision.",
      "",
      "Rules tried",
      "  Rule            Would   Outcome      Decided on",
      "  small-retiming  accept  not-matched  departureLaterMinutes <= 30 is false",
      "",
      "Notifications",
      "  Received              Times  State     Id",
      "  2026-11-20 10:00:00Z  2      accepted  019aa000-0000-7000-8000-000000000003",
      "",
      "Timeline",
      "  At                    What                   Who",
      "  2026-11-20 10:00:00Z  notification.received  receiver  receipts 2",
      "",
    ]);
  });

  test("finds the newest case by OrderID", async () => {
    expect((await run(["case", "QX7R2M1A"])).stdout).toContain(`case ${someCaseId}`);
  });

  test("shows what came of gateway calls, and no control characters of others", async () => {
    cases = [
      aCaseDetail({
        effects: [
          {
            id: "019aa000-0000-7000-8000-000000000009",
            decisionId: "019aa000-0000-7000-8000-000000000002",
            action: "cancel",
            gdsBookingReferences: ["ABC123"],
            proposalDigest: "d",
            state: "succeeded",
            plannedAt: new Date("2026-11-20T10:00:06Z"),
            sentAt: new Date("2026-11-20T10:00:06Z"),
            finishedAt: new Date("2026-11-20T10:00:07Z"),
            settleReads: 2,
            results: [
              {
                gdsBookingReferences: ["ABC123"],
                status: "SUCCESS",
                errorMessage: "",
                refundAmount: "120.50",
                refundText: "full\u001b[2J refund",
              },
            ],
            error: null,
            settled: null,
            refund: { expected: null, answered: "120.50", check: "unknown" },
          },
        ],
      }),
    ];

    const { stdout } = await run(["case", someCaseId]);

    expect(stdout).toContain(
      "  cancel for ABC123: succeeded, 2026-11-20 10:00:07Z\n    booking checked 2 times to find the outcome\n",
    );
    expect(stdout).toContain("    ABC123: SUCCESS, refund 120.50 (currency not stated), full [2J refund");
    expect(stdout).not.toContain("\u001b");
  });

  test("says so when there is none", async () => {
    const { exitCode, stderr } = await run(["case", "NOBODY"]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      "Error: There is no case with the OrderID or case id 'NOBODY'. List cases with `npx skedchange cases`.\n",
    );
  });
});

describe("skedchange case with an action", () => {
  test("acts on the version that it has just read", async () => {
    const { exitCode, stdout } = await run(["case", "QX7R2M1A", "--accept", "--note", "Traveller agrees"]);

    expect(exitCode).toBe(0);
    expect(actions).toEqual([
      {
        caseId: someCaseId,
        action: "accept",
        note: "Traveller agrees",
        version: 4,
        actor: "person:api",
        visible: null,
      },
    ]);
    expect(stdout).toContain(
      "Order QX7R2M1A: Accept requested. We re-check the booking, then accept. The case is now 'checking'.",
    );
  });

  test.each([
    ["--close", "close"],
    ["--recheck", "recheck"],
    ["--confirm-effect", "confirm-effect"],
    ["--refute-effect", "refute-effect"],
    ["--reschedule", "reschedule"],
    ["--resolved-elsewhere", "resolved-elsewhere"],
    ["--reopen", "reopen"],
    ["--stop", "stop"],
  ])("%s is the action %s", async (option, action) => {
    await run(["case", someCaseId, option]);

    expect(actions).toEqual([expect.objectContaining({ action })]);
  });

  test("cancels only with --yes, naming what would be cancelled", async () => {
    const refused = await run(["case", someCaseId, "--cancel"]);

    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      "Cancelling order QX7R2M1A (ABC123, DEF456) can't be undone. Add --yes to confirm.",
    );
    expect(actions).toEqual([]);

    const done = await run(["case", someCaseId, "--cancel", "--yes"]);

    expect(done.exitCode).toBe(0);
    expect(actions).toEqual([expect.objectContaining({ action: "cancel", confirm: "QX7R2M1A" })]);
  });

  test.each([
    [["--close", "duplicate"], { action: "close", reasonCode: "duplicate" }],
    [["--snooze", "2026-11-22T09:00:00+01:00"], { action: "snooze", until: new Date("2026-11-22T08:00:00Z") }],
    [["--assign", "me"], { action: "assign", assignee: "api" }],
    [["--assign", "nobody"], { action: "assign", assignee: null }],
    [["--note", "called"], { action: "note", note: "called" }],
    [
      ["--traveller-asked", "--channel", "email", "--at", "2026-11-21T08:00:00Z"],
      { action: "traveller-asked", channel: "email", happenedAt: new Date("2026-11-21T08:00:00Z") },
    ],
    [
      ["--traveller-answered", "accepts", "--channel", "phone", "--at", "2026-11-21T08:00:00Z"],
      {
        action: "traveller-answered",
        answer: "accepts",
        channel: "phone",
        happenedAt: new Date("2026-11-21T08:00:00Z"),
      },
    ],
  ])("%j asks for it with what it takes", async (options, action) => {
    const { exitCode } = await run(["case", someCaseId, ...options]);

    expect(exitCode).toBe(0);
    expect(actions).toEqual([expect.objectContaining(action)]);
  });

  test("refuses what a finished case does not take, in the words of the command line", async () => {
    cases = [aCaseDetail({ state: "done" })];

    const { exitCode, stderr } = await run(["case", someCaseId, "--accept"]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe(`Error: Case ${someCaseId} is finished (done). Use --reopen to work on the order again.\n`);
    expect(actions).toEqual([]);
  });

  test("says that a token which belongs to nobody cannot be assigned to", async () => {
    outcome = { outcome: "refused", code: "desk.assignee_unknown", message: "There is no user 'api' who can act." };

    expect((await run(["case", someCaseId, "--assign", "me"])).stderr).toBe(
      "Error: The token belongs to no person who can act on cases. Name a user instead of `me`: npx skedchange users list\n",
    );
    expect((await run(["case", someCaseId, "--assign", "ana"])).stderr).toContain("There is no user 'api'");
  });

  test.each([
    [["--close", "foo"], "error: option '--close [reason]' argument 'foo' is invalid. Allowed choices are duplicate,"],
    [["--traveller-answered", "foo", "--channel", "phone"], "error: option '--traveller-answered <answer>'"],
    [["--traveller-informed", "--channel", "foo"], "error: option '--channel <channel>' argument 'foo' is invalid."],
  ])("refuses a value that %j cannot have by the name of the option", async (options, message) => {
    const { exitCode, stderr } = await run(["case", someCaseId, ...options]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test("approves what waits for a second person, and says so when nothing does", async () => {
    expect((await run(["case", someCaseId, "--approve"])).stderr).toContain("does not wait for an approval");

    const approval = {
      id: "019aa000-0000-7000-8000-000000000077",
      action: "cancel" as const,
      askedBy: "person:ana",
      askedAt: new Date("2026-11-21T08:00:00Z"),
      note: null,
    };
    cases = [aCaseDetail({ approval })];
    await run(["case", someCaseId, "--approve"]);

    expect(actions).toEqual([expect.objectContaining({ action: "approve", approvalId: approval.id })]);
  });

  test("says who carries it on when it takes a second person", async () => {
    outcome = {
      outcome: "accepted",
      caseId: someCaseId,
      state: "awaiting-agent",
      decisionId: null,
      approvalId: "019aa000-0000-7000-8000-000000000077",
    };

    expect((await run(["case", someCaseId, "--cancel", "--yes"])).stdout).toContain(
      "needs approval by a second person",
    );
  });

  test("asks how the traveller was reached", async () => {
    const { exitCode, stderr } = await run(["case", someCaseId, "--traveller-asked"]);

    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("Add how the traveller was reached, with --channel");
  });

  test("takes one action at a time", async () => {
    const { exitCode, stderr } = await run(["case", someCaseId, "--accept", "--close"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("Choose one of --accept, --close.");
    expect(actions).toEqual([]);
  });

  test("shows why the worker refuses", async () => {
    outcome = { outcome: "refused", code: "desk.flag_missing", message: "The airline does not allow Accept." };

    const { exitCode, stderr } = await run(["case", someCaseId, "--accept"]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe("Error: This action is not possible. The airline does not allow Accept.\n");
  });
});

describe("reaching the server", () => {
  test("a refused token says where to set it", async () => {
    const { exitCode, stderr } = await run(["cases", "--token", "wrong"]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("does not accept the token. Set API_TOKEN as the server has it, or give --token.");
  });

  test("API_TOKEN goes before the demo token", async () => {
    expect((await run(["cases"], { environment: { API_TOKEN: "wrong" } })).exitCode).toBe(1);
    expect((await run(["cases"], { environment: { API_TOKEN: "an-api-token" } })).exitCode).toBe(0);
  });

  test("a server that does not run says how to start it", async () => {
    const gone = await startDashboard({ queries: queriesWith([]) });
    await gone.close();

    const { exitCode, stderr } = await runCaptured(["cases", "--url", gone.url]);

    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `Error: Nothing listens at ${gone.url}. Start the server with its settings (\`npx skedchange serve\`), or give its address with --url.\n`,
    );
  });

  test("something else than Skedchange is recognised", async () => {
    const { exitCode, stderr } = await runCaptured(["cases", "--url", `${server.url}/somewhere`]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("Is it the address of the agency side (port 3000)?");
  });

  test("an address that is none is refused", async () => {
    const { exitCode, stderr } = await runCaptured(["cases", "--url", "localhost:3000"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("is no http or https URL");
  });
});
