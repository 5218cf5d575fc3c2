import { orderViewResponseSchema } from "../contract/order-view-schema.ts";
import { respell, type Spelling } from "../contract/other-spellings.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Faults } from "./faults.ts";
import { notificationBody } from "./order-view-body.ts";
import type { ChangeAnnouncer, GatewayOrder, NewChange, StartedDelivery } from "./ports.ts";

export interface AnnouncementOptions {
  readonly announcer: ChangeAnnouncer;
  readonly faults: Faults;
  readonly clock: Clock;
}

export interface Announced {
  readonly announcement: NewChange["announcement"];
  /** The deliveries of its first notification. */
  readonly deliveries: readonly StartedDelivery[];
}

interface ChangeToAnnounce {
  /** The transaction that makes the change. */
  readonly tx: Tx;
  /** The order with the changes that were pending until now. */
  readonly before: GatewayOrder;
  readonly order: GatewayOrder;
  readonly changeId: string;
}

/**
 * Announces a change in `tx`, as the faults of notifications ask for. Also a late notification goes through the outbox,
 * rendered again from the order, so nothing waits outside the database.
 */
export async function announceChange(
  { announcer, faults, clock }: AnnouncementOptions,
  { tx, before, order, changeId }: ChangeToAnnounce,
): Promise<Announced> {
  const { orderId, owner, agencyId } = order;
  const silent: Announced = { announcement: "not-announced", deliveries: [] };
  if (faults.take("ocn-dropped", orderId) !== null) return silent;
  if (faults.take("ocn-reordered", orderId) !== null) {
    faults.delayNotification(orderId);
    return silent;
  }
  const spelling = faults.take("ocn-respelled", orderId)?.spelling;
  const createBody = (shown: GatewayOrder): Buffer =>
    spelling === undefined ? notificationBody(shown) : respelled(notificationBody(shown), spelling);
  const announce = (shown: GatewayOrder, id: string) =>
    announcer.announce(tx, { orderId, airline: owner, agencyId, changeId: id, body: createBody(shown) });
  const { deliveries } = await announce(order, changeId);
  const copies = faults.take("ocn-duplicated", orderId)?.copies ?? 0;
  // A change is announced once, so each copy has an id of its own.
  for (let copy = 0; copy < copies; copy += 1) await announce(order, newId(clock));
  if (faults.releaseNotification(orderId)) await announce(before, newId(clock));
  return { announcement: deliveries.length > 0 ? "announced" : "no-recipient", deliveries };
}

function respelled(body: Buffer, spelling: Spelling): Buffer {
  const ocn = { responseRoot: "OrderViewRS", responseSchema: orderViewResponseSchema };
  return Buffer.from(JSON.stringify(respell(JSON.parse(body.toString()), spelling, ocn)));
}
