import { expect } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import type { TestDatabase } from "./database.ts";
import { createScriptedGateway } from "./scripted-gateway.ts";
import { createWorkerUnderTest } from "./worker.ts";

/** Where a person's click falls into a worker's look: before, while the status is read, while it is saved, after. */
const clickAfterMs = [0, 1, 2, 3, 5, 8, 12, 20];

/**
 * A worker reads a status again that shows nothing new, and a person accepts at the version that they saw before. Their
 * accept is taken on and carried out once, wherever it falls.
 *
 * @returns in which states of the case the clicks were taken on.
 */
export async function raceClicks(db: TestDatabase, rounds: number): Promise<ReadonlySet<string>> {
  const states = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const orderId = `CLICK${round}`;
    const body = sampleNotification("flight-number-only", { orderId, reference: `CLK${round}` });
    const gateway = createScriptedGateway(body);
    const readStatus = gateway.readStatus;
    gateway.readStatus = async (query) => {
      await pause(round % 2 === 0 ? 4 : 0);
      return await readStatus(query);
    };
    const worker = createWorkerUnderTest(db.database, gateway);
    await worker.notify(body);
    await worker.work(orderId);
    const { id, version, state } = await worker.caseOf(orderId);
    expect(state).toBe("awaiting-agent");
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now(), wake = wake + 1 where id = $1", [
      id,
    ]);

    const look = worker.worker.workOn({ source: "default", orderId });
    await pause(clickAfterMs[round % clickAfterMs.length]!);
    const found = await db.ownerDatabase.pool.query<{ state: string }>(
      "select state from skedchange.cases where id = $1",
      [id],
    );
    const outcome = await worker.worker.act({
      action: "accept",
      caseId: id,
      note: null,
      version,
      visible: null,
      actor: "person:ana",
    });
    await look;
    await worker.work(orderId);

    states.add(found.rows[0]!.state);
    expect({ round, outcome: outcome.outcome, sent: gateway.journal.length }).toEqual({
      round,
      outcome: "accepted",
      sent: 1,
    });
    expect((await worker.caseOf(orderId)).state).toBe("done");
  }
  return states;
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
