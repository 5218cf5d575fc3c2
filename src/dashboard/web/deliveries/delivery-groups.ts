import { type Delivery, isOfEvent } from "./delivery-api.ts";

/** The deliveries of one notification or event, each to another recipient. */
export interface DeliveryGroup {
  readonly key: string;
  readonly deliveries: readonly Delivery[];
}

/** In the order of the list. What is sent again is on its own: it has a time of its own. */
export function groupDeliveries(items: readonly Delivery[]): readonly DeliveryGroup[] {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of items) {
    const key = delivery.replayOf === null ? contentOf(delivery) : delivery.id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [delivery]);
    else group.push(delivery);
  }
  return [...groups].map(([key, deliveries]) => ({ key, deliveries }));
}

function contentOf(delivery: Delivery): string {
  return isOfEvent(delivery) ? delivery.eventId : `${delivery.changeId}/${delivery.orderId}`;
}
