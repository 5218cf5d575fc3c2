import { describe, expect, test } from "vitest";
import { createCallSlots } from "../../../src/client/call-slots.ts";
import { deadlineIn } from "../../../src/client/deadline.ts";
import type { PendingCall } from "../../../src/client/pending-call.ts";
import { eventually } from "../../harness/eventually.ts";

describe("the places for calls", () => {
  test("are as many as are allowed; the others wait, and are served in the order in which they came", async () => {
    const slots = createCallSlots({ callsMax: 2, waitingMax: 10, waitMs: 5_000 });
    const work = Array.from({ length: 5 }, () => aWork());
    const done = work.map((each) => slots.run(aCall(), each.run));

    await eventually(() => expect(begun(work)).toEqual([true, true, false, false, false]));
    work[1]?.finish();
    await done[1];
    await eventually(() => expect(begun(work)).toEqual([true, true, true, false, false]));
    for (const each of work) each.finish();
    await Promise.all(done);
    expect(begun(work)).toEqual([true, true, true, true, true]);
  });

  test("become free when the work fails", async () => {
    const slots = createCallSlots({ callsMax: 1, waitingMax: 0, waitMs: 5_000 });

    await expect(slots.run(aCall(), () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");

    expect(await slots.run(aCall(), async () => "served")).toBe("served");
  });

  test("refuse at once one caller more than may wait", async () => {
    const slots = createCallSlots({ callsMax: 1, waitingMax: 1, waitMs: 5_000 });
    const work = aWork();
    const running = slots.run(aCall(), work.run);
    const waiting = slots.run(aCall(), async () => "served");

    await expect(slots.run(aCall(), unwanted)).rejects.toMatchObject({
      code: "gateway.busy",
      phase: "before-sending",
      retryable: true,
      message: "AirTicketVoid was not sent: 1 calls to the gateway are under way and 1 more wait for a slot.",
    });
    work.finish();
    await running;
    expect(await waiting).toBe("served");
  });

  test.each([
    ["the longest wait", 20, 5_000],
    ["the call's own deadline", 5_000, 20],
  ])("are waited for no longer than %s, and the one behind is served all the same", async (_, waitMs, timeoutMs) => {
    const slots = createCallSlots({ callsMax: 1, waitingMax: 2, waitMs });
    const work = aWork();
    const running = slots.run(aCall(), work.run);
    const impatient = slots.run(aCall({ deadline: deadlineIn(timeoutMs) }), unwanted);

    await expect(impatient).rejects.toMatchObject({
      code: "gateway.busy",
      message: "AirTicketVoid was not sent: 1 calls to the gateway are under way and no slot became free in time.",
    });
    const behind = slots.run(aCall(), async () => "served");
    work.finish();
    await running;
    expect(await behind).toBe("served");
  });

  test("are given up by a caller who no longer wants one, and the one behind is served", async () => {
    const slots = createCallSlots({ callsMax: 1, waitingMax: 2, waitMs: 5_000 });
    const work = aWork();
    const caller = new AbortController();
    const running = slots.run(aCall(), work.run);
    const givenUp = slots.run(aCall({ signal: caller.signal }), unwanted);
    const behind = slots.run(aCall(), async () => "served");

    caller.abort();

    await expect(givenUp).rejects.toMatchObject({ code: "gateway.aborted", phase: "before-sending" });
    work.finish();
    await running;
    expect(await behind).toBe("served");
  });

  // How many turns of the microtask queue it takes from the end of the work to the beginning of the next is not ours to know.
  test.each([0, 1, 2, 3, 4, 5, 6])(
    "are not lost when a caller gives up as its turn comes (%d turns after the work)",
    async (turns) => {
      const slots = createCallSlots({ callsMax: 1, waitingMax: 2, waitMs: 5_000 });
      const work = aWork();
      const caller = new AbortController();
      const running = slots.run(aCall(), async () => {
        await work.run();
        void abortAfter(turns, caller);
      });
      const givenUp = slots.run(aCall({ signal: caller.signal }), async () => "served").catch(() => "given up");
      const behind = slots.run(aCall(), async () => "served");

      work.finish();
      await running;
      await givenUp;

      expect(await behind).toBe("served");
      expect(await slots.run(aCall(), async () => "served")).toBe("served");
    },
  );

  test("are not waited for once the client is closed", async () => {
    const slots = createCallSlots({ callsMax: 1, waitingMax: 2, waitMs: 5_000 });
    const work = aWork();
    const closing = new AbortController();
    const running = slots.run(aCall(), work.run);
    const waiting = slots.run(aCall({ closing: closing.signal }), unwanted);

    closing.abort();

    await expect(waiting).rejects.toMatchObject({ code: "gateway.client_closed", phase: "before-sending" });
    work.finish();
    await running;
  });
});

function aCall(overrides: Partial<PendingCall> = {}): PendingCall {
  return {
    operation: "AirTicketVoid",
    deadline: deadlineIn(5_000),
    signal: undefined,
    closing: new AbortController().signal,
    ...overrides,
  };
}

/** Work that lasts until it is told to finish. */
function aWork() {
  const state = { begun: false };
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = async (): Promise<void> => {
    state.begun = true;
    await finished;
  };
  return { state, run, finish };
}

function begun(work: readonly { readonly state: { readonly begun: boolean } }[]): boolean[] {
  return work.map((each) => each.state.begun);
}

async function abortAfter(turns: number, caller: AbortController): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  caller.abort();
}

async function unwanted(): Promise<never> {
  throw new Error("This must not be called.");
}
