import { expect } from "vitest";
import type { AttemptOutcome, DeliveryView, NewRecipient, RecipientView } from "../../../src/sender/ports.ts";
import type { Sender, SenderSettings } from "../../../src/sender/sender.ts";
import { type ScriptedReceiver, startReceiver } from "../../integration/sender/scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "../../integration/sender/sender-bench.ts";
import { acknowledges, type Behaviour, type HostileReceiver, startHostileReceiver } from "./hostile-receiver.ts";

/** What the sender must make of a first try. */
export interface Expected {
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly next: ExpectedNext;
}

export type ExpectedNext =
  | { readonly kind: "delivered" }
  /** Tried again after so long; `holds`: until then nothing else is sent to the recipient either. */
  | { readonly kind: "retry"; readonly waitMs: number; readonly holds?: boolean }
  | { readonly kind: "dead"; readonly reason: string }
  | { readonly kind: "disabled"; readonly reason: string };

/** The first wait of the schedule, without jitter. */
export const firstWait: ExpectedNext = { kind: "retry", waitMs: 5_000 };

const hostileOrder = "HOSTILE1";
const otherOrder = "OTHER001";

/** A sender, a hostile recipient, and a neighbour that is told of the same changes and acknowledges. */
export interface HostileBench {
  readonly bench: SenderBench;
  readonly receiver: HostileReceiver;
  readonly neighbour: ScriptedReceiver;
  /** Begin and end of each test. */
  open(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
  /**
   * Sends one change to the recipient while it behaves like this, and then lets it acknowledge. Asserts what is on record,
   * what happens next and when, that the recipient's other order and the neighbour are not touched, and that every copy is
   * the same bytes with the same `webhook-id`. Returns the delivery at its end.
   */
  meets(behaviour: Behaviour, expected: Expected, options?: MeetOptions): Promise<DeliveryView>;
}

export interface MeetOptions {
  readonly settings?: Partial<SenderSettings>;
  readonly recipient?: Partial<NewRecipient>;
  readonly body?: string;
}

/** Short, for behaviours that are ended by the deadline; long enough for the copy that is acknowledged afterwards. */
export const shortDeadline: MeetOptions = { settings: { attemptDeadlineMs: 2_000 } };

export async function openHostileBench(): Promise<HostileBench> {
  const bench = await openSenderBench();
  let receiver: HostileReceiver;
  let neighbour: ScriptedReceiver;

  return {
    bench,
    get receiver() {
      return receiver;
    },
    get neighbour() {
      return neighbour;
    },
    async open() {
      receiver = await startHostileReceiver();
      neighbour = await startReceiver();
    },
    async clear() {
      await Promise.all([receiver.close(), neighbour.close()]);
      await bench.clear();
    },
    close: () => bench.close(),

    async meets(behaviour, expected, { settings = {}, recipient = {}, body = `{"order":"${hostileOrder}"}` } = {}) {
      const sender = bench.createSender(settings);
      const hostile = await bench.addRecipient(receiver.url, recipient);
      const healthy = await bench.addRecipient(neighbour.url);
      receiver.behaviour = behaviour;
      await bench.announce(sender, { orderId: hostileOrder, body });
      await deliverAll(sender);
      receiver.behaviour = acknowledges;

      const first = await bench.newestDelivery({ recipientId: hostile.id });
      const attempts = await bench.attempts(first.id);
      expect(attempts.at(-1)).toMatchObject({
        outcome: expected.outcome,
        httpStatus: expected.httpStatus,
        errorCode: expected.errorCode,
      });
      await assertNext(sender, hostile, first, expected.next);

      expect(neighbour.posts.map((post) => post.body.toString("utf8"))).toEqual([body, `{"order":"${otherOrder}"}`]);
      expect(await bench.recipients.readRecipient(healthy.id)).toMatchObject({ pendingDeliveries: 0, failing: null });
      const copies = receiver.requests.filter((request) => request.headers["webhook-id"] === first.id);
      for (const copy of copies) expect(copy.body.toString("utf8")).toBe(body);
      expect(receiver.requests.map((request) => request.headers["webhook-id"])).toEqual(
        expect.arrayContaining([...(await deliveredIdsOf(hostile))]),
      );
      return bench.newestDelivery({ recipientId: hostile.id, orderId: hostileOrder });
    },
  };

  async function assertNext(
    sender: Sender,
    hostile: RecipientView,
    first: DeliveryView,
    next: ExpectedNext,
  ): Promise<void> {
    const triedAt = bench.now().getTime();
    const read = (): Promise<DeliveryView> => bench.newestDelivery({ recipientId: hostile.id, orderId: hostileOrder });
    const other = (): Promise<DeliveryView> => bench.newestDelivery({ recipientId: hostile.id, orderId: otherOrder });
    const announceOther = async (): Promise<void> => {
      await bench.announce(sender, { orderId: otherOrder, body: `{"order":"${otherOrder}"}` });
      await deliverAll(sender);
    };
    switch (next.kind) {
      case "delivered":
        expect(first).toMatchObject({ state: "delivered", failures: 0 });
        await announceOther();
        expect((await other()).state).toBe("delivered");
        return;
      case "retry": {
        expect(first).toMatchObject({ state: "pending", failures: 1 });
        expect(first.dueAt).toEqual(new Date(triedAt + next.waitMs));
        await announceOther();
        expect((await other()).state).toBe(next.holds === true ? "pending" : "delivered");
        // The announcement took the clock a millisecond further.
        bench.pass(next.waitMs - 2);
        await deliverAll(sender);
        expect((await read()).state).toBe("pending");
        bench.pass(1);
        await deliverAll(sender);
        expect(await read()).toMatchObject({ id: first.id, state: "delivered" });
        expect((await other()).state).toBe("delivered");
        return;
      }
      case "dead":
        expect(first).toMatchObject({ state: "dead", deadReason: { code: next.reason } });
        await announceOther();
        expect((await other()).state).toBe("delivered");
        return;
      case "disabled":
        expect(await bench.recipients.readRecipient(hostile.id)).toMatchObject({
          state: "disabled",
          stateReason: { code: next.reason },
        });
        await announceOther();
        expect((await other()).state).toBe("pending");
        await bench.recipients.changeRecipient(hostile.id, { state: { to: "active" } });
        await deliverAll(sender);
        expect([(await read()).state, (await other()).state]).toEqual(["delivered", "delivered"]);
        return;
    }
  }

  async function deliveredIdsOf({ id: recipientId }: RecipientView): Promise<readonly string[]> {
    const page = { limit: 10, cursor: null };
    const { items } = await bench.recipients.listDeliveries({ recipientId, state: "delivered" }, page);
    return items.map(({ id }) => id);
  }
}
