import type { Fault, FaultMode } from "./fault-kinds.ts";
import type { GatewayOrder } from "./ports.ts";

export type TransportFault = Extract<Fault, { operation: string }>;
/** A fault of what is said or announced. */
type OtherFault = Exclude<Fault, TransportFault>;
type OtherMode = Exclude<FaultMode, TransportFault["mode"]>;

/** The faults that are set, in memory: those of one process, gone when it ends. */
export interface Faults {
  set(fault: Fault): void;
  /** Forgets every fault, and what earlier ones left behind. */
  clear(): void;
  list(): readonly Fault[];
  /** Takes one call off the oldest fault of transport that fits; null when none does. */
  takeTransport(operation: string, orderId: string | null): TransportFault | null;
  /** Takes one use off the oldest fault of that mode that fits; null when none does. */
  take<Mode extends OtherMode>(
    mode: Mode,
    orderId: string,
    fits?: (fault: FaultOf<Mode>) => boolean,
  ): FaultOf<Mode> | null;
  /** From now until then the status shows the order as it is given here. */
  saveStale(order: GatewayOrder, until: Date): void;
  /** What the status shows instead of the order; null when it shows the truth. */
  staleOrder(orderId: string, now: Date): GatewayOrder | null;
  /** The notification of the order's newest change waits for the next one. */
  delayNotification(orderId: string): void;
  /** Whether one waits, which from now on it does no more. */
  releaseNotification(orderId: string): boolean;
}

/** The fault that a mode is set with; several modes share one. */
type FaultOf<Mode extends OtherMode, Candidate = OtherFault> = Candidate extends OtherFault
  ? Mode extends Candidate["mode"]
    ? Candidate
    : never
  : never;

/** More than any test sets; each one is looked at with every call. */
const faultsMax = 100;
/** Orders that are remembered; beyond it the oldest is forgotten. */
const rememberedMax = 1_000;

export function createFaults(): Faults {
  let faults: readonly Fault[] = [];
  const stale = new Map<string, { readonly order: GatewayOrder; readonly until: Date }>();
  const held = new Set<string>();

  function takeFirst<T extends Fault>(fits: (fault: Fault) => fault is T): T | null {
    const found = faults.find(fits);
    if (found === undefined) return null;
    faults = faults.flatMap((fault) => {
      if (fault !== found) return [fault];
      return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
    });
    return found;
  }

  return {
    set(fault) {
      faults = [...faults, fault].slice(-faultsMax);
    },
    clear() {
      faults = [];
      stale.clear();
      held.clear();
    },
    list: () => faults,
    takeTransport: (operation, orderId) =>
      takeFirst(
        (fault): fault is TransportFault =>
          "operation" in fault && fault.operation === operation && concerns(fault, orderId),
      ),
    take: <Mode extends OtherMode>(
      mode: Mode,
      orderId: string,
      fits: (fault: FaultOf<Mode>) => boolean = () => true,
    ): FaultOf<Mode> | null =>
      takeFirst(
        (fault): fault is FaultOf<Mode> =>
          fault.mode === mode && concerns(fault, orderId) && fits(fault as FaultOf<Mode>),
      ),
    saveStale(order, until) {
      stale.delete(order.orderId);
      stale.set(order.orderId, { order, until });
      forgetOldest(stale);
    },
    staleOrder(orderId, now) {
      const staleView = stale.get(orderId);
      if (staleView === undefined) return null;
      if (now < staleView.until) return staleView.order;
      stale.delete(orderId);
      return null;
    },
    delayNotification(orderId) {
      held.add(orderId);
      forgetOldest(held);
    },
    releaseNotification: (orderId) => held.delete(orderId),
  };
}

function concerns(fault: Fault, orderId: string | null): boolean {
  return fault.orderId === undefined || fault.orderId === orderId;
}

/** Sets and maps keep the order in which keys were added. */
function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  if (remembered.size <= rememberedMax) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    return;
  }
}
