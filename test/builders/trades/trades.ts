import type { Json } from "../order-view.ts";
import { aMinorDelay, aSegment } from "../order-view.ts";
import { type Draw, drawFor } from "./draw.ts";
import { banking, containers, farming, insurance } from "./goods-and-money.ts";
import { courts, powerGrids, railways, telephony } from "./networks-and-offices.ts";
import { hospitals, hotels, libraries, theatre } from "./places-and-people.ts";
import type { Trade, TradeMembers } from "./trade.ts";

/** Twelve sets of members that no list of the program names. */
export const trades: readonly Trade[] = [
  ...[containers, hospitals, hotels, railways, banking, insurance],
  ...[libraries, telephony, farming, theatre, powerGrids, courts],
];

export interface TradeOrder {
  readonly orderId: string;
  /** A notification with a small delay. */
  readonly body: Json;
  /** The same without what tells to stop; null if nothing does. */
  readonly calmBody: Json | null;
}

/** One in so many orders tells to stop. */
const stopsOneIn = 6;

/** The order of that position; always the same. */
export function orderOfTrade(trade: Trade, position: number): TradeOrder {
  const draw = drawFor(trades.indexOf(trade) + 1, position);
  const orderId = `TRADE${trades.indexOf(trade) + 1}X${position}`;
  const members = trade.members(draw);
  const stop = draw.oneIn(stopsOneIn) ? draw.pick(trade.stops)(draw) : null;
  const calm = notificationWith(members, orderId, draw);
  if (stop === null) return { orderId, body: calm, calmBody: null };
  const body = notificationWith(merged(members as Json, stop as Json), orderId, draw);
  return { orderId, body, calmBody: calm };
}

function notificationWith(members: TradeMembers, orderId: string, { order }: Draw): Json {
  const passengers = Array.from({ length: 1 + (order % 3) }, () => ({ PTC: "ADT", ...members.passenger }));
  const segments = [
    aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", members.segment),
    aSegment("Segment2", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45", members.segment),
  ];
  const { OrderViewRS } = aMinorDelay({
    orderId,
    gdsBookingReference: `TR${String(order).padStart(4, "0")}`,
    passengers,
    segments,
    order: members.order ?? {},
    view: members.view ?? {},
  });
  const lists = OrderViewRS["DataLists"] as Json;
  Object.assign(lists, members.dataLists);
  const [first] = OrderViewRS["Order"] as readonly [Json];
  for (const item of first["OfferItem"] as Json[]) Object.assign(item, members.offerItem);
  return { ...members.envelope, OrderViewRS };
}

/** What the second has replaces what the first has, but of objects both remain. */
function merged(first: Json, second: Json): Json {
  const result = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = result[name];
    result[name] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
