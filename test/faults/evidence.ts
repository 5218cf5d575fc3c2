import type pg from "pg";
import type { Itinerary } from "../../src/itinerary/itinerary.ts";

/** A flight as both sides can be compared by: nothing that a view may leave out. */
export interface Flight {
  readonly carrier: string | null;
  readonly number: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** `yyyy-mm-ddThh:mm`, local; null where a view did not show it. */
  readonly departure: string | null;
  readonly arrival: string | null;
}

/** What stands in the tables of both sides after a run. The gateway's come first. */
export interface Evidence {
  readonly deliveries: readonly {
    readonly digest: string;
    readonly orderId: string;
    readonly state: string;
    /** Attempts that the recipient acknowledged. */
    readonly acknowledged: number;
  }[];
  readonly journal: readonly JournalCall[];
  readonly changes: readonly GatewayChange[];
  readonly gatewayOrders: readonly {
    readonly orderId: string;
    readonly openChangeId: string | null;
    /** ScheduleChangeStatus of each booking reference. */
    readonly statuses: readonly string[];
    /** What is booked now. */
    readonly flights: readonly Flight[];
  }[];
  readonly notifications: readonly {
    readonly digest: string;
    readonly state: string;
    readonly receipts: number;
    readonly cases: number;
  }[];
  readonly cases: readonly StoredCase[];
  readonly effects: readonly StoredEffect[];
  /** Of orders that have any. */
  readonly accepted: ReadonlyMap<string, readonly Flight[]>;
}

/** One call of an operation, in the order in which the gateway wrote them down. */
export interface JournalCall {
  readonly orderId: string;
  readonly operation: string;
  readonly references: readonly string[];
  readonly result: string;
  /** The change that was pending when the call was made. */
  readonly changeId: string | null;
  /** The version of the order then. Every change of the order has a greater one. */
  readonly orderVersion: number;
  readonly at: number;
}

export interface GatewayChange {
  readonly id: string;
  readonly orderId: string;
  readonly references: readonly string[];
  /** What stands in the place of the changed flights once it is accepted. */
  readonly becomes: readonly Flight[];
  readonly announced: boolean;
  /** Of each reference that its notification shows, by action; null where a flag is missing. */
  readonly flags: ReadonlyMap<string, { readonly accept: string | null; readonly cancel: string | null }> | null;
}

export interface StoredCase {
  readonly id: string;
  readonly orderId: string;
  readonly state: string;
  /** Milliseconds from now until it is due; negative: it was. Null: nobody looks by themselves. */
  readonly dueInMs: number | null;
  readonly action: string | null;
  readonly decidedBy: string | null;
  readonly rule: string | null;
  readonly reason: string | null;
}

export interface StoredEffect {
  readonly id: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly action: "accept" | "cancel";
  readonly references: readonly string[];
  readonly state: string;
  readonly errorCode: string | null;
  readonly sends: number;
  readonly plannedAt: number;
  /** `policy`, or `person:` and who. */
  readonly decidedBy: string;
  /** Flag of the action in the decision behind it. */
  readonly flag: string | null;
  /** What the decision was about. */
  readonly proposed: readonly Flight[];
}

/** Flags by reference in a stored body of the outbox. */
export type FlagReader = (row: OutboxRow) => Promise<GatewayChange["flags"]>;

export interface OutboxRow {
  readonly id: string;
  readonly change_id: string;
  readonly body: Buffer;
  readonly body_encoding: string;
  readonly key_id: string | null;
}

/** Reads both sides, when nothing moves any more. */
export async function readEvidence(pool: pg.Pool, readFlags: FlagReader): Promise<Evidence> {
  const ask = async <Row>(text: string): Promise<readonly Row[]> => (await pool.query(text)).rows as Row[];
  const flags = new Map<string, GatewayChange["flags"]>();
  for (const row of await ask<OutboxRow>("select id, change_id, body, body_encoding, key_id from gateway.ocn_bodies")) {
    flags.set(row.change_id, await readFlags(row));
  }
  return {
    deliveries: await ask(`
      select encode(b.digest, 'hex') as digest, d.order_id as "orderId", d.state,
        (select count(*)::int from gateway.attempts a where a.delivery_id = d.id and a.outcome = 'delivered') as acknowledged
      from gateway.deliveries d join gateway.ocn_bodies b on b.id = d.ocn_id`),
    journal: await ask(`
      select order_id as "orderId", operation, gds_booking_references as references, result, change_id as "changeId",
        order_version::int as "orderVersion", extract(epoch from at)::float8 * 1000 as at
      from gateway.journal where order_id is not null order by id`),
    changes: (
      await ask<
        Omit<GatewayChange, "flags" | "becomes"> & { segments: readonly { becomes: readonly SegmentElement[] }[] }
      >(`
        select id, order_id as "orderId", gds_booking_references as references, segments,
          announcement = 'announced' as announced
        from gateway.changes order by caused_at, id`)
    ).map(({ segments, ...change }) => ({
      ...change,
      becomes: segments.flatMap(({ becomes }) => becomes.map(flightOfElement)),
      flags: flags.get(change.id) ?? null,
    })),
    gatewayOrders: (
      await ask<{
        orderId: string;
        openChangeId: string | null;
        statuses: string[];
        segments: SegmentElement[] | null;
      }>(`
        select o.order_id as "orderId", o.open_change_id as "openChangeId",
          content -> 'DataLists' -> 'FlightSegmentList' -> 'FlightSegment' as segments,
          array(select schedule_change_status from gateway.order_references r where r.order_id = o.order_id order by position)
            as statuses
        from gateway.orders o order by o.order_id`)
    ).map(({ segments, ...order }) => ({ ...order, flights: (segments ?? []).map(flightOfElement) })),
    notifications: await ask(`
      select encode(g.digest, 'hex') as digest, n.state, g.receipts::int as receipts,
        (select count(*)::int from skedchange.case_notifications j where j.notification_id = n.id) as cases
      from skedchange.notification_digests g
      join skedchange.notifications n on n.id = g.notification_id and n.received_at = g.received_at`),
    cases: await ask(`
      select c.id, c.order_id as "orderId", c.state, d.action, d.decided_by as "decidedBy", d.rule,
        d.reasons -> 0 ->> 'code' as reason, extract(epoch from c.due_at - now())::float8 * 1000 as "dueInMs"
      from skedchange.cases c left join skedchange.decisions d on d.id = c.decision_id
      order by c.opened_at, c.id`),
    effects: (
      await ask<Omit<StoredEffect, "proposed" | "flag"> & { proposed: Itinerary | null; flag: StoredFlag | null }>(`
        select e.id, e.case_id as "caseId", e.order_id as "orderId", e.action, e.gds_booking_references as references,
          e.state, e.error ->> 'code' as "errorCode", e.sends::int as sends,
          extract(epoch from e.planned_at)::float8 * 1000 as "plannedAt",
          d.decided_by as "decidedBy", d.itineraries -> 'proposed' as proposed, d.flags -> e.action as flag
        from skedchange.effects e join skedchange.decisions d on d.id = e.decision_id
        order by e.planned_at, e.id`)
    ).map(({ proposed, flag, ...effect }) => ({
      ...effect,
      flag: flag === null ? null : flag.known ? (flag.value ?? null) : (flag.reason ?? null),
      proposed: flightsOf(proposed),
    })),
    accepted: new Map(
      (
        await ask<{ orderId: string; accepted: Itinerary }>(`
          select order_id as "orderId", accepted_itinerary as accepted from skedchange.orders
          where accepted_itinerary is not null`)
      ).map(({ orderId, accepted }) => [orderId, flightsOf(accepted)]),
    ),
  };
}

interface StoredFlag {
  readonly known: boolean;
  readonly value?: string;
  readonly reason?: string;
}

interface PointElement {
  readonly AirportCode?: string;
  readonly Date?: string;
  readonly Time?: string;
}

interface SegmentElement {
  readonly Departure?: PointElement;
  readonly Arrival?: PointElement;
  readonly MarketingCarrier?: { readonly AirlineID?: string; readonly FlightNumber?: string };
}

function flightOfElement({ Departure, Arrival, MarketingCarrier }: SegmentElement): Flight {
  return {
    carrier: MarketingCarrier?.AirlineID ?? null,
    number: withoutZeros(MarketingCarrier?.FlightNumber ?? null),
    from: Departure?.AirportCode ?? null,
    to: Arrival?.AirportCode ?? null,
    departure: moment(Departure?.Date, Departure?.Time),
    arrival: moment(Arrival?.Date, Arrival?.Time),
  };
}

function flightsOf(itinerary: Itinerary | null): readonly Flight[] {
  return (itinerary?.segments ?? []).map((segment) => ({
    carrier: segment.marketingCarrier,
    number: withoutZeros(segment.marketingFlightNumber),
    from: segment.departure.airport,
    to: segment.arrival.airport,
    departure: moment(segment.departure.date, segment.departure.time),
    arrival: moment(segment.arrival.date, segment.arrival.time),
  }));
}

function moment(date: string | null | undefined, time: string | null | undefined): string | null {
  return date && time ? `${date}T${time.slice(0, 5)}` : null;
}

function withoutZeros(number: string | null): string | null {
  return number === null ? null : number.replace(/^0+(?=\d)/, "");
}
