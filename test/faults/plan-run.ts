import { spellings } from "../../src/contract/other-spellings.ts";
import { randomNumbers } from "../builders/random-numbers.ts";
import { upcoming } from "../builders/upcoming.ts";
import type { NetworkFault } from "./fault-proxy.ts";
import type { PostgresEnd } from "./restartable-postgres.ts";

export interface RunSize {
  readonly orders: number;
  /** Notifications that must have been announced before the run may end. */
  readonly notifications: number;
}

export interface PlannedOrder {
  readonly orderId: string;
  /** Body of `POST /control/orders`. */
  readonly request: object;
}

/** One step of the airlines: what the gateway is told to do wrong first, then the changes, in one request. */
export interface PlannedChange {
  readonly orderId: string;
  readonly faults: readonly object[];
  readonly changes: readonly object[];
}

export const roles = ["receiver", "worker", "sender", "gateway"] as const;
export type RoleName = (typeof roles)[number];
export const links = ["to-receivers", "to-gateway", "to-postgresql", "to-redis"] as const;
export type LinkName = (typeof links)[number];

export type Disturbance =
  | { readonly kind: "kill"; readonly role: RoleName; readonly which: number; readonly pauseMs: number }
  | { readonly kind: "pause"; readonly role: "worker"; readonly which: number; readonly forMs: number }
  | { readonly kind: "postgresql"; readonly how: PostgresEnd }
  | { readonly kind: "redis"; readonly how: "kill" | "stop" | "freeze" | "flush"; readonly forMs: number }
  | {
      readonly kind: "network";
      readonly link: LinkName;
      readonly fault: NetworkFault;
      readonly forMs: number;
      readonly delayMs: number;
    };

/** All that happens in a run, before any of it has: the same for the same seed. */
export interface RunPlan {
  readonly seed: number;
  readonly orders: readonly PlannedOrder[];
  readonly changes: readonly PlannedChange[];
  /** Each with the share of the changes, 0 to 1, after which it happens. */
  readonly disturbances: readonly { readonly after: number; readonly disturbance: Disturbance }[];
  /** What a person does with a case of an order, should it wait for one; null: leaves it waiting. */
  readonly people: ReadonlyMap<string, "accept" | "cancel" | "close" | null>;
}

/** @param pauseMs how long a worker is stopped at least: longer than its lease. */
export function planRun(seed: number, size: RunSize, queue: "postgresql" | "redis", pauseMs: number): RunPlan {
  const random = randomNumbers(seed);
  const orders = Array.from({ length: size.orders }, (_, index) => planOrder(seed, index, random.integer(10)));
  const changes = planChanges(random, orders, size);
  const people = new Map(
    orders.map(({ orderId }) => [orderId, random.pick(["accept", "accept", "cancel", "close", null, null] as const)]),
  );
  return { seed, orders, changes, disturbances: planDisturbances(random, size, queue, pauseMs), people };
}

type Random = ReturnType<typeof randomNumbers>;

interface Shape extends PlannedOrder {
  readonly flights: number;
  readonly references: number;
}

function planOrder(seed: number, index: number, shape: number): Shape {
  const orderId = `F${seed}-${String(index).padStart(4, "0")}`;
  const reference = (letter: string): string => `${letter}${index.toString(36).toUpperCase().padStart(5, "0")}`;
  const departure = upcoming(`2027-03-${String(1 + (index % 28)).padStart(2, "0")}`);
  const out = {
    from: "LIS",
    to: "FRA",
    carrier: "LH",
    flightNumber: "1167",
    departure: `${departure}T07:10`,
    arrival: `${departure}T11:20`,
  };
  if (shape < 7) {
    return {
      orderId,
      flights: 1,
      references: 1,
      request: { orderId, gdsBookingReferences: [reference("A")], flights: [out] },
    };
  }
  const on = {
    from: "FRA",
    to: "JFK",
    carrier: shape === 9 ? "UA" : "LH",
    flightNumber: shape === 9 ? "961" : "400",
    departure: `${departure}T16:20`,
    arrival: `${departure}T19:20`,
  };
  if (shape === 7) {
    const request = { orderId, gdsBookingReferences: [reference("A")], flights: [out, on] };
    return { orderId, flights: 2, references: 1, request };
  }
  const request = {
    orderId,
    gdsBookingReferences: [reference("A"), reference("B")],
    flights: [
      { ...out, gdsBookingReference: reference("A") },
      { ...on, gdsBookingReference: reference("B") },
    ],
  };
  return { orderId, flights: 2, references: 2, request };
}

function planChanges(random: Random, orders: readonly Shape[], size: RunSize): readonly PlannedChange[] {
  const last = new Map<string, object>();
  const steps: PlannedChange[] = [];
  let notifications = 0;
  // Half as many again: what was cancelled takes part in no change any more, and the run ends when there are enough.
  while (notifications < size.notifications * 1.5) {
    const order = random.pick(orders);
    const { orderId } = order;
    const changes = [planChange(random, order, last.get(orderId))];
    // Airlines often send several within a second; each has a notification of its own.
    for (let more = random.pick([0, 0, 1, 2]); more > 0; more -= 1)
      changes.push(planChange(random, order, changes.at(-1)));
    last.set(orderId, changes.at(-1)!);
    const faults = planFaults(random, order, changes.length);
    steps.push({ orderId, changes, faults });
    notifications += changes.length;
    for (const fault of faults as readonly { mode: string; copies?: number }[]) {
      if (fault.mode === "ocn-duplicated") notifications += fault.copies ?? 1;
    }
  }
  return steps;
}

function planChange(random: Random, order: Shape, before: object | undefined): object {
  const flight = { flightIndex: random.integer(order.flights) };
  const kind = random.integer(100);
  if (kind < 45) return { kind: "retime", ...flight, departureMinutes: random.pick([-10, -5, 5, 10, 15, 20, 25, 30]) };
  if (kind < 58)
    return { kind: "retime", ...flight, departureMinutes: random.pick([90, 120, 150]), partial: "changed" };
  if (kind < 66 && before !== undefined) return before;
  if (kind < 80) return { kind: "restore" };
  if (kind < 84) return { kind: "renumber", ...flight, flightNumber: String(1000 + random.integer(8000)) };
  if (kind < 88) return { kind: "aircraft", ...flight, aircraft: random.pick(["319", "320", "333"]) };
  if (kind < 90) return { kind: "retime", ...flight, departureMinutes: 10, flags: { accept: null } };
  if (kind < 92)
    return { kind: "retime", ...flight, departureMinutes: 10, flags: { accept: "N", cancel: "N", reSchedule: "Y" } };
  if (kind < 94) return { kind: "retime", ...flight, departureMinutes: 200, flags: { accept: "N" } };
  if (kind < 97) return { kind: "cancel" };
  return { kind: "retime", ...flight, departureMinutes: 15, partial: "departure-only" };
}

const cutOff = ["http-500", "timeout", "reset", "malformed", "wrong-content-type", "truncated-gzip"] as const;

/** Every kind of fault that the gateway knows, with those that hurt most more often. */
function planFaults(random: Random, { orderId, references }: Shape, changes: number): readonly object[] {
  if (!random.oneIn(3)) return [];
  const effect = random.pick(["AirOrderInvoluntaryAccept", "AirOrderInvoluntaryAccept", "AirOrderInvoluntaryCancel"]);
  const kind = random.integer(22);
  const times = 1 + random.integer(2);
  if (kind < 5) {
    const fault = { operation: effect, mode: random.pick(cutOff), orderId, afterEffect: random.integer(3) > 0 };
    // Together with an old status it cannot be told for a while what became of the effect.
    return random.oneIn(3) ? [fault, { mode: "stale-status", orderId, seconds: 1 + random.integer(3) }] : [fault];
  }
  if (kind < 7) return [{ operation: "AirReservationStatus", mode: random.pick(cutOff), orderId, times }];
  if (kind === 7) {
    const operation = random.pick([effect, "AirReservationStatus"]);
    return [
      { operation, mode: "delay", orderId, delayMs: random.pick([200, 700, 2_500]), afterEffect: random.oneIn(2) },
    ];
  }
  if (kind === 8)
    return [{ operation: effect, mode: "slow-drip", orderId, delayMs: random.pick([20, 150]), afterEffect: true }];
  if (kind === 9) return [{ mode: "stale-status", orderId, seconds: 1 + random.integer(3) }];
  if (kind === 10) return [{ mode: "blank-pnr-status", orderId, times }];
  if (kind === 11) return [{ mode: "status-without-flags", orderId, times }];
  if (kind === 12) return [{ mode: "status-without-change", orderId, times }];
  if (kind === 13) return [{ mode: "leftover-accepted", orderId, times }];
  if (kind === 14) return [{ mode: "replaced-proposal", orderId, at: "read" }];
  if (kind === 15) return [{ mode: "replaced-proposal", orderId, at: "accept" }];
  if (kind === 16 && references > 1) return [{ mode: "mixed-results", orderId }];
  // It is sent after that of the next change, so there has to be one.
  if (kind === 17 && changes > 1) return [{ mode: "ocn-reordered", orderId }];
  if (kind === 18) return [{ mode: "ocn-echoed", orderId }];
  if (kind === 19) {
    const operation = random.pick([effect, "AirReservationStatus"]);
    return [{ operation, mode: "respelled", orderId, spelling: random.pick(spellings) }];
  }
  if (kind === 20) {
    const spelling = random.pick(spellings.filter((one) => one !== "error-list"));
    return [{ mode: "ocn-respelled", orderId, spelling }];
  }
  return [{ mode: "ocn-duplicated", orderId, copies: 2 + random.integer(5) }];
}

function planDisturbances(
  random: Random,
  size: RunSize,
  queue: "postgresql" | "redis",
  pauseMs: number,
): RunPlan["disturbances"] {
  const share = Math.max(0.25, Math.min(1, size.notifications / 5_000));
  const count = (full: number): number => Math.max(1, Math.round(full * share));
  const planned: Disturbance[] = [];
  const add = (times: number, make: () => Disturbance): void => {
    for (let time = 0; time < times; time += 1) planned.push(make());
  };
  const kill = (role: RoleName) => (): Disturbance => ({
    kind: "kill",
    role,
    which: random.integer(6),
    pauseMs: random.integer(400),
  });
  add(count(3), kill("receiver"));
  add(count(4), kill("worker"));
  add(count(2), kill("sender"));
  add(count(2), kill("gateway"));
  add(count(3), () => ({
    kind: "pause",
    role: "worker",
    which: random.integer(6),
    forMs: pauseMs + 500 + random.integer(1_500),
  }));
  const ends = shuffled(random, ["kill", "immediate", "backend-crash", "fast"] as const);
  for (const how of ends.slice(0, count(ends.length))) planned.push({ kind: "postgresql", how });
  const own = queue === "redis" ? links : links.filter((link) => link !== "to-redis");
  const faults = ["reset", "refuse", "delay", "half-open"] as const;
  const broken = own.flatMap((link) => faults.map((fault) => ({ link, fault })));
  for (const { link, fault } of shuffled(random, broken).slice(0, count(broken.length))) {
    const [forMs, delayMs] = [500 + random.integer(2_000), 50 + random.integer(400)];
    planned.push({ kind: "network", link, fault, forMs, delayMs });
  }
  if (queue === "redis") {
    const hows = shuffled(random, ["kill", "flush", "stop", "freeze"] as const);
    for (const how of hows.slice(0, count(hows.length))) {
      planned.push({ kind: "redis", how, forMs: 300 + random.integer(1_500) });
    }
  }
  return planned
    .map((disturbance) => ({ after: 0.03 + (random.integer(1_000) / 1_000) * 0.94, disturbance }))
    .sort((a, b) => a.after - b.after);
}

function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  const left = [...items];
  const order: Item[] = [];
  while (left.length > 0) order.push(...left.splice(random.integer(left.length), 1));
  return order;
}
