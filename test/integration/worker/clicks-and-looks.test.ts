import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CaseActionOutcome, CaseCommand } from "../../../src/cases/case-command.ts";
import { sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { raceClicks } from "../../harness/click-race.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("an accept at the version that was seen succeeds wherever it falls into a look that finds nothing new", async () => {
  await raceClicks(db, 20);
});

describe("while a worker reads the status of a case again", () => {
  let orders = 0;

  /** The person acts at the very moment at which the worker asks the gateway. */
  async function actDuringLook(command: CaseCommand, isFirstLook = false) {
    const orderId = `LOOK${++orders}`;
    const flags = { Accept: "Y", Cancel: "Y", ReSchedule: "N" } as const;
    const body = withFlags(sampleNotification("misconnection", { orderId, reference: `LK${orders}` }), flags);
    const gateway = createScriptedGateway(body);
    const worker = createWorkerUnderTest(db.database, gateway);
    await worker.notify(body);
    if (!isFirstLook) await worker.work(orderId);
    const { id, version } = await worker.caseOf(orderId);
    const outcomes: CaseActionOutcome[] = [];
    const possible: string[] = [];
    const readStatus = gateway.readStatus;
    gateway.readStatus = async (query) => {
      if (outcomes.length === 0) {
        const seen = await worker.caseOf(orderId);
        expect(seen.state).toBe("checking");
        possible.push(...seen.possibleActions);
        outcomes.push(
          await worker.worker.act({ ...command, caseId: id, note: "now", version, visible: null, actor: "person:ana" }),
        );
      }
      return await readStatus(query);
    };
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now(), wake = wake + 1 where id = $1", [
      id,
    ]);
    const looked = await worker.worker.workOn({ source: "default", orderId });
    await worker.work(orderId);
    return { looked, possible, outcome: outcomes[0], gateway, after: await worker.caseOf(orderId) };
  }

  const happenedAt = new Date(Date.now() - 60_000);

  const commands: readonly { readonly command: CaseCommand; readonly state: string }[] = [
    { command: { action: "accept" }, state: "done" },
    { command: { action: "close" }, state: "closed" },
    { command: { action: "resolved-elsewhere" }, state: "resolved-elsewhere" },
    { command: { action: "reschedule" }, state: "awaiting-agent" },
    { command: { action: "snooze", until: new Date(Date.now() + 3_600_000) }, state: "snoozed" },
    { command: { action: "traveller-asked", channel: "phone", happenedAt }, state: "awaiting-traveller" },
  ];

  test.each(commands)("a person can take it from the worker by $command.action", async ({ command, state }) => {
    const { looked, possible, outcome, gateway, after } = await actDuringLook(command);

    expect(outcome).toMatchObject({ outcome: "accepted" });
    expect(possible).toContain(command.action);
    expect(looked).toBe("lease-lost");
    expect(after.state).toBe(state);
    expect(gateway.journal).toHaveLength(command.action === "accept" ? 1 : 0);
  });

  test("nobody can decide on what was never decided about", async () => {
    const { outcome, possible, after } = await actDuringLook({ action: "accept" }, true);

    expect(outcome).toMatchObject({ outcome: "conflict", state: "checking" });
    expect(possible).not.toContain("accept");
    expect(after.state).toBe("awaiting-agent");
  });
});

test("a look that fails at the gateway leaves the version of a case that waits", async () => {
  const body = sampleNotification("flight-number-only", { orderId: "AWAY", reference: "AWAY" });
  const gateway = createScriptedGateway(body);
  const worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  await worker.work("AWAY");
  const { id, version } = await worker.caseOf("AWAY");
  gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");
  await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now(), wake = wake + 1 where id = $1", [id]);
  await worker.work("AWAY");

  expect(await worker.caseOf("AWAY")).toMatchObject({ state: "awaiting-agent", version, failures: 1 });
});
