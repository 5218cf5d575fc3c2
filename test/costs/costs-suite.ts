import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { ceilings, queueCeiling } from "./ceilings.ts";
import {
  acceptedOrder,
  type CountedQueue,
  type CountedRole,
  type CountedSystem,
  reviewedOrder,
  startCountedSystem,
} from "./counted-system.ts";
import { assertWithinCeiling, type MeasuredWork, measureWork, subtractWork } from "./measured-work.ts";

/**
 * Counts what one piece of work of each kind costs the process that does it, and compares it with its ceiling.
 *
 * Left out, by how the system is set up: whatever a timer of a second or more starts (sweeps, heartbeats, polls, sealing of the
 * audit, periodic jobs), and what other processes do meanwhile. Wake-ups of the database reach a process when it is at rest,
 * so those that come during a piece of work cost one look for work together; in earnest they cost up to one look each.
 */
export function countCosts(queue: {
  readonly kind: "PostgreSQL" | "Redis";
  start(): Promise<CountedQueue>;
  close(): Promise<unknown>;
}): void {
  let system: CountedSystem;
  let orders = 0;

  beforeAll(async () => {
    system = await startCountedSystem(await queue.start());
    // Each role does its work once before it is counted, so that its connections are open and its code is loaded. A worker
    // looks for more work after every eighth order (WORKER_CONCURRENCY); none of those that are counted is its eighth.
    await accept();
    await review();
    await deliverNotification();
    // It has woken the worker too, which would look for work once more in what is counted first.
    await system.settle(system.worker);
    // Five servers start, on a machine that may be busy with other test files.
  }, 60_000);
  afterAll(async () => {
    await system?.close();
    await queue.close();
  });

  function check(work: keyof typeof ceilings, measured: MeasuredWork): void {
    const ceiling = ceilings[work];
    assertWithinCeiling(work, measured, queue.kind === "Redis" ? { ...ceiling, queueStatements: 0 } : ceiling);
  }

  /** Counts what a role does from now on. @param calls every call that was made since the system started. */
  function startCount(role: CountedRole, calls: () => readonly string[]): () => MeasuredWork {
    role.database.forget();
    const before = calls().length;
    return () => measureWork(role.database, calls().slice(before));
  }

  async function decide(orderId: string, state: string): Promise<MeasuredWork> {
    const count = startCount(system.worker, () => system.gateway.calls);
    await system.push(orderId);
    await system.settle(system.worker, () => system.agency.caseIn(orderId, [state], 0));
    return count();
  }

  function accept(): Promise<MeasuredWork> {
    return decide(acceptedOrder((orders += 1)), "done");
  }

  function review(): Promise<MeasuredWork> {
    return decide(reviewedOrder((orders += 1)), "awaiting-agent");
  }

  async function deliverNotification(): Promise<MeasuredWork> {
    const { orderId } = await system.control<{ orderId: string }>("/orders", {});
    await system.settle(system.sender);
    const count = startCount(system.sender, () => system.agencyTarget.posts.map(({ path }) => path));
    await system.control(`/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });
    await system.settle(system.sender, () => expect(count().calls).toHaveLength(1));
    return count();
  }

  test("an automatic accept costs no more gateway calls and statements than its ceiling", async () => {
    check("automatic accept", await accept());
  });

  test("the opening of a case costs no more statements than its ceiling", async () => {
    await accept();

    check("opening of cases", measureWork(system.worker.database, [], "opening"));
  });

  test("a review costs no more gateway calls and statements than its ceiling", async () => {
    check("review", await review());
  });

  test("the delivery of a notification costs no more statements than its ceiling", async () => {
    check("delivery of a notification", await deliverNotification());
  });

  test("the delivery of an event costs no more statements than its ceiling", async () => {
    await system.sendOnly("case.decided");
    await system.settle(system.sender);
    const count = startCount(system.sender, () => system.events.posts.map(({ path }) => path));
    await review();

    await system.settle(system.sender, () => expect(count().calls).toHaveLength(1));

    check("delivery of an event", count());
  });

  test("orders that become due together cost the queue no more statements than their ceiling", async () => {
    const count = startCount(system.worker, () => []);
    const orderIds = Array.from({ length: queueCeiling.ordersDueTogether }, () => reviewedOrder((orders += 1)));
    for (const orderId of orderIds) await system.push(orderId);
    await system.settle(system.worker, async () => {
      // What fails on a busy machine would be tried again by a sweep. A worker has had it, and that is what counts here.
      for (const orderId of orderIds) await system.agency.caseIn(orderId, ["checking", "awaiting-agent"], 0);
    });

    const { queueStatements } = count().cost;
    expect(queueStatements).toBeLessThanOrEqual(queue.kind === "Redis" ? 0 : queueCeiling.queueStatements);
  });

  // Last, because its orders stay with the worker.
  test("eight acknowledgements in one batch cost no more statements than their ceiling", async () => {
    const without = await acknowledgeBehindCommits(0);
    const withBatch = await acknowledgeBehindCommits(8);

    check("batch of 8 acknowledgements", subtractWork(withBatch, without));
  });

  /** Acknowledges so many notifications together: they come while the response to the commit before them is kept back. */
  async function acknowledgeBehindCommits(count: number): Promise<MeasuredWork> {
    const { receiver } = system;
    const pushes: Promise<void>[] = [];
    const pushNext = (): void => void pushes.push(system.push(reviewedOrder((orders += 1))));
    const held = receiver.database.holdBack(1);
    let measure: () => MeasuredWork;
    try {
      pushNext();
      await eventually(() => expect(held.count()).toBe(1));
      for (let index = 0; index < count; index += 1) pushNext();
      await eventually(async () => expect(await readWaiting()).toBe(pushes.length));
      measure = startCount(receiver, () => []);
    } finally {
      held.release();
      await Promise.all(pushes);
    }
    await system.settle(receiver);
    return measure();
  }

  /** How many notifications the receiver has taken and not acknowledged yet. */
  async function readWaiting(): Promise<number> {
    const response = await fetch(`${system.receiver.server.agencyUrl}/metrics`);
    const bytes = /^skedchange_receiver_backlog_bytes (\d+)/m.exec(await response.text())?.[1];
    return Number(bytes) / system.bytesOf(reviewedOrder(orders));
  }
}
