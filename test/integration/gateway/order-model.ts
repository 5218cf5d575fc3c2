import type { PnrStatus, ScheduleChangeStatus, TicketState } from "../../../src/gateway/ports.ts";

/** An order as an agency would picture it. Flights are known by their segment keys. */
export interface ModelOrder {
  /** Minutes by which each flight leaves later than it was first booked. */
  readonly flights: ReadonlyMap<string, number>;
  readonly references: ReadonlyMap<string, ModelReference>;
  readonly tickets: ReadonlyMap<string, ModelTicket>;
  readonly change: ModelChange | null;
}

export interface ModelReference {
  readonly pnrStatus: PnrStatus;
  readonly scheduleChangeStatus: ScheduleChangeStatus;
  /** accept and cancel, such as `YN`; empty before the first change. */
  readonly flags: string;
  readonly flights: readonly string[];
}

export interface ModelTicket {
  readonly reference: string;
  readonly cents: number;
  readonly state: TicketState;
  readonly flown: readonly string[];
}

export interface ModelChange {
  /** What each flight is to become: minutes later than first booked, or null when it is withdrawn. */
  readonly pending: ReadonlyMap<string, number | null>;
  readonly references: readonly string[];
  readonly settled: readonly string[];
}

/** One call of the gateway. */
export type ModelCall =
  | {
      readonly kind: "change";
      /** The flight, or every flight for a withdrawal. */
      readonly segmentKey: string | null;
      readonly to: "later" | "withdrawn" | "back";
      readonly minutes: number;
      readonly flags: { readonly accept?: "Y" | "N"; readonly cancel?: "Y" | "N" };
    }
  | { readonly kind: "accept" | "reject" | "cancel" | "status"; readonly references: readonly string[] }
  | {
      readonly kind: "void";
      readonly references: readonly string[];
      readonly tickets: readonly string[];
      readonly cancelsBooking: boolean;
    }
  | { readonly kind: "fly"; readonly segmentKeys: readonly string[] }
  | { readonly kind: "modify" | "fail"; readonly references: readonly string[] };

export interface ModelStep {
  readonly order: ModelOrder;
  /** What the caller is told, in one line. */
  readonly response: string;
}

/** What the gateway should do and say. */
export function playCall(order: ModelOrder, call: ModelCall): ModelStep {
  switch (call.kind) {
    case "change":
      return playChange(order, call);
    case "accept":
      return playAccept(order, call.references);
    case "reject":
      return playReject(order, call.references);
    case "cancel":
      return playCancel(order, call.references);
    case "void":
      return playVoid(order, call);
    case "fly":
      return playFlight(order, call.segmentKeys);
    case "status":
      return { order, response: describeStatus(order) };
    default:
      return playMove(order, call.kind, call.references);
  }
}

/** Everything that can be seen of an order, in one text. */
export function describeOrder(order: ModelOrder): string {
  const { change } = order;
  return JSON.stringify({
    status: describeStatus(order),
    flags: [...order.references].map(([name, reference]) => `${name} ${reference.flags}`),
    tickets: [...order.tickets].map(
      ([number, { state, flown }]) => `${number} ${state} ${[...flown].sort().join(" ")}`,
    ),
    change:
      change === null
        ? null
        : {
            pending: [...change.pending].map(([key, minutes]) => `${key}+${minutes ?? "withdrawn"}`).sort(),
            references: change.references,
            settled: [...change.settled].sort(),
          },
  });
}

export function describeStatus(order: ModelOrder): string {
  const states = [...order.references].map(
    ([name, { pnrStatus, scheduleChangeStatus }]) => `${name}:${pnrStatus}:${scheduleChangeStatus}`,
  );
  const flights = [...order.flights].map(([key, minutes]) => `${key}+${minutes}`).sort();
  return [...states, ...flights].join(" ");
}

function playChange(order: ModelOrder, call: Extract<ModelCall, { kind: "change" }>): ModelStep {
  const { segmentKey } = call;
  if (segmentKey !== null && !order.flights.has(segmentKey)) return { order, response: "422" };
  const flown = [...order.tickets.values()].flatMap((ticket) => ticket.flown);
  const keys = (segmentKey === null ? [...order.flights.keys()] : [segmentKey]).filter((key) => !flown.includes(key));
  if (keys.length === 0) return { order, response: "409" };
  const pending = new Map(order.change?.pending);
  const isBooked = (key: string): boolean => !pending.has(key) && order.flights.get(key) === 0;
  if (call.to === "back" && keys.every(isBooked)) return { order, response: "409" };
  for (const key of keys) pending.set(key, proposed(order.flights.get(key)!, call));
  const concerned = [...order.references].filter(
    ([, reference]) => takesPart(reference) && reference.flights.some((key) => pending.has(key)),
  );
  if (concerned.length === 0) return { order, response: "409" };
  const names = concerned.map(([name]) => name);
  const hasNewTimes = ({ flights }: ModelReference): boolean =>
    flights.some((key) => typeof pending.get(key) === "number");
  const next = withReferences(order, names, (reference) => ({
    ...reference,
    flags: `${call.flags.accept ?? (hasNewTimes(reference) ? "Y" : "N")}${call.flags.cancel ?? "Y"}`,
    pnrStatus: reference.flights.every((key) => pending.get(key) === null) ? "CANCELLED" : "SCHEDULE CHANGED",
    scheduleChangeStatus: "Initiated",
  }));
  return {
    order: { ...next, change: { pending, references: names, settled: [] } },
    response: `201 ${names.join(" ")}`,
  };
}

function proposed(minutes: number, { to, minutes: later }: Extract<ModelCall, { kind: "change" }>): number | null {
  if (to === "withdrawn") return null;
  return to === "back" ? 0 : minutes + later;
}

function takesPart({ pnrStatus, scheduleChangeStatus }: ModelReference): boolean {
  if (pnrStatus === "FAILED") return false;
  return pnrStatus !== "CANCELLED" || waits(scheduleChangeStatus);
}

function waits(status: ScheduleChangeStatus): boolean {
  return status === "Initiated" || status === "Partially-Accepted";
}

function playAccept(order: ModelOrder, asked: readonly string[]): ModelStep {
  const granted = asked.filter((name) => maySettle(order, name, 0));
  const response = asked.map((name) => `${name}:${granted.includes(name) ? "SUCCESS" : "FAILED"}`).join(" ");
  if (granted.length === 0) return { order, response };
  const next = withReferences(order, granted, (reference) => ({
    ...reference,
    flags: "NN",
    scheduleChangeStatus: "Partially-Accepted",
  }));
  return { order: settle(next, granted), response };
}

function maySettle({ change, references }: ModelOrder, name: string, flag: 0 | 1): boolean {
  if (change === null || !change.references.includes(name) || change.settled.includes(name)) return false;
  return references.get(name)?.flags[flag] === "Y";
}

function playReject(order: ModelOrder, asked: readonly string[]): ModelStep {
  const granted = asked.filter((name) => maySettle(order, name, 1));
  const response = asked
    .map((name) => (granted.includes(name) ? `${name}:SUCCESS:${refundOf(order, name)}` : `${name}:FAILED:-`))
    .join(" ");
  if (granted.length === 0) return { order, response };
  const rejected = withReferences(order, granted, (reference) => ({
    ...reference,
    flags: "NN",
    pnrStatus: "CANCELLED",
    scheduleChangeStatus: "Rejected",
  }));
  const tickets = new Map(
    [...rejected.tickets].map(([number, ticket]) => [
      number,
      granted.includes(ticket.reference) && ticket.state === "open"
        ? { ...ticket, state: "refunded" as const }
        : ticket,
    ]),
  );
  return { order: settle({ ...rejected, tickets }, granted), response };
}

/** In cents. Every fare here is a multiple of the number of its flights. */
function refundOf(order: ModelOrder, name: string): number {
  const { flights } = order.references.get(name)!;
  return [...order.tickets.values()]
    .filter((ticket) => ticket.reference === name && ticket.state === "open")
    .reduce((sum, { cents, flown }) => {
      const left = flights.filter((key) => !flown.includes(key)).length;
      return sum + (flown.length === 0 ? cents : (cents * left) / flights.length);
    }, 0);
}

function playCancel(order: ModelOrder, asked: readonly string[]): ModelStep {
  const granted = asked.filter((name) => mayCancel(order, name));
  const next = granted.length === 0 ? order : cancelBookings(order, granted);
  const response = asked
    .map((name) => `${name}:${granted.includes(name) ? "SUCCESS" : "FAILED"}:${bookingStatus(next, name)}`)
    .join(" ");
  return { order: next, response };
}

function mayCancel(order: ModelOrder, name: string): boolean {
  const reference = order.references.get(name);
  if (reference === undefined || !takesPart(reference)) return false;
  return ![...order.tickets.values()].some((ticket) => ticket.reference === name && ticket.flown.length > 0);
}

function cancelBookings(order: ModelOrder, names: readonly string[]): ModelOrder {
  const cancelled = withReferences(order, names, (reference) => ({
    ...reference,
    flags: reference.flags === "" ? "" : "NN",
    pnrStatus: "CANCELLED",
    scheduleChangeStatus: waits(reference.scheduleChangeStatus) ? "Rejected" : reference.scheduleChangeStatus,
  }));
  return settle(cancelled, names);
}

function bookingStatus(order: ModelOrder, name: string): string {
  const { pnrStatus } = order.references.get(name) ?? { pnrStatus: "" };
  return pnrStatus === "CANCELLED" ? "CANCELED" : pnrStatus;
}

/** A flight moves when everybody who flies it has answered and somebody accepted. */
function settle(order: ModelOrder, names: readonly string[]): ModelOrder {
  const { change } = order;
  if (change === null) return order;
  const newlySettled = names.filter((name) => change.references.includes(name) && !change.settled.includes(name));
  const settled = [...change.settled, ...newlySettled];
  const waiting = change.references.filter((name) => !settled.includes(name));
  const flies = (name: string, key: string): boolean => order.references.get(name)!.flights.includes(key);
  const accepted = settled.filter((name) => order.references.get(name)?.scheduleChangeStatus === "Partially-Accepted");
  const due = [...change.pending.keys()].filter(
    (key) => accepted.some((name) => flies(name, key)) && !waiting.some((name) => flies(name, key)),
  );
  const pending = new Map([...change.pending].filter(([key]) => !due.includes(key)));
  const complete = accepted.filter((name) => ![...pending.keys()].some((key) => flies(name, key)));
  const gone = due.filter((key) => change.pending.get(key) === null);
  const completed = withReferences(order, complete, (reference, name) => ({
    ...reference,
    scheduleChangeStatus: "Accepted",
    pnrStatus: statusAfterAccept(order, reference, name, gone),
  }));
  const flights = new Map(order.flights);
  for (const key of due) {
    const minutes = change.pending.get(key);
    if (minutes === null || minutes === undefined) flights.delete(key);
    else flights.set(key, minutes);
  }
  const all = [...order.references.keys()];
  const flown = withReferences({ ...completed, flights }, all, (reference) => ({
    ...reference,
    flights: reference.flights.filter((key) => !gone.includes(key)),
  }));
  return { ...flown, change: waiting.length === 0 ? null : { ...change, pending, settled } };
}

function statusAfterAccept(
  order: ModelOrder,
  reference: ModelReference,
  name: string,
  gone: readonly string[],
): PnrStatus {
  if (reference.flights.every((key) => gone.includes(key))) return "CANCELLED";
  const isTicketed = [...order.tickets.values()].some(
    (ticket) => ticket.reference === name && (ticket.state === "open" || ticket.state === "used"),
  );
  return isTicketed ? "CONFIRMED" : "PENDING";
}

function playVoid(order: ModelOrder, call: Extract<ModelCall, { kind: "void" }>): ModelStep {
  const names = call.references;
  const voidable = call.tickets.filter((number) => {
    const ticket = order.tickets.get(number);
    return (
      names.every((name) => order.references.has(name)) &&
      ticket?.state === "open" &&
      ticket.flown.length === 0 &&
      names.includes(ticket.reference)
    );
  });
  const tickets = new Map(
    [...order.tickets].map(([number, ticket]) => [
      number,
      voidable.includes(number) ? { ...ticket, state: "void" as const } : ticket,
    ]),
  );
  const voided = { ...order, tickets };
  const areAllVoid = voidable.length === call.tickets.length;
  const cancels = areAllVoid && call.cancelsBooking && names.every((name) => mayCancel(voided, name));
  const next = cancels ? cancelBookings(voided, names) : restoreBookings(voided, names, voidable);
  const isDone = areAllVoid && (cancels || !call.cancelsBooking);
  const states = names.filter((name) => order.references.has(name)).map((name) => [name, bookingStatus(next, name)]);
  const sorted = [...order.references.keys()].flatMap((name) => states.filter(([one]) => one === name));
  const status = sorted.find(([, state]) => state !== "CANCELED")?.[1] ?? sorted[0]?.[1] ?? "";
  const response = [
    isDone ? "SUCCESS" : "FAILED",
    status,
    ...call.tickets.map((number) => `${number}:${voidable.includes(number) ? "SUCCESS" : "FAILED"}`),
  ].join(" ");
  return { order: next, response };
}

function restoreBookings(order: ModelOrder, names: readonly string[], voided: readonly string[]): ModelOrder {
  return withReferences(order, names, (reference, name) => {
    const own = [...order.tickets].filter(([, ticket]) => ticket.reference === name);
    const isUnticketed =
      own.some(([number]) => voided.includes(number)) && own.every(([, ticket]) => ticket.state === "void");
    const wasTicketed = reference.pnrStatus === "CONFIRMED" || reference.pnrStatus === "MODIFIED";
    return isUnticketed && wasTicketed ? { ...reference, pnrStatus: "PENDING" } : reference;
  });
}

function playFlight(order: ModelOrder, segmentKeys: readonly string[]): ModelStep {
  if (segmentKeys.some((key) => !order.flights.has(key))) return { order, response: "422" };
  const asked = segmentKeys.filter((key) => order.change?.pending.has(key) !== true);
  let isFlown = false;
  const tickets = new Map(
    [...order.tickets].map(([number, ticket]): [string, ModelTicket] => {
      const reference = order.references.get(ticket.reference)!;
      if (ticket.state !== "open" || reference.pnrStatus === "CANCELLED") return [number, ticket];
      const added = reference.flights.filter((key) => asked.includes(key) && !ticket.flown.includes(key));
      if (added.length === 0) return [number, ticket];
      isFlown = true;
      const flown = [...ticket.flown, ...added];
      return [
        number,
        { ...ticket, flown, state: reference.flights.every((key) => flown.includes(key)) ? "used" : "open" },
      ];
    }),
  );
  return isFlown ? { order: { ...order, tickets }, response: "200" } : { order, response: "409" };
}

const movable = { modify: ["CONFIRMED", "PENDING"], fail: ["PENDING"] } as const;

function playMove(order: ModelOrder, event: "modify" | "fail", names: readonly string[]): ModelStep {
  const to = event === "modify" ? "MODIFIED" : "FAILED";
  const can = names.every((name) => {
    const { pnrStatus, scheduleChangeStatus } = order.references.get(name)!;
    if (waits(scheduleChangeStatus)) return false;
    return (movable[event] as readonly string[]).includes(pnrStatus);
  });
  if (!can) return { order, response: "409" };
  return { order: withReferences(order, names, (reference) => ({ ...reference, pnrStatus: to })), response: "200" };
}

function withReferences(
  order: ModelOrder,
  names: readonly string[],
  move: (reference: ModelReference, name: string) => ModelReference,
): ModelOrder {
  const references = new Map(
    [...order.references].map(([name, reference]) => [name, names.includes(name) ? move(reference, name) : reference]),
  );
  return { ...order, references };
}
