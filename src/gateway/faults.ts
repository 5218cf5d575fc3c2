import type { Fault, FaultMode } from "./fault-kinds.ts";
import type { GatewayOrder } from "./ports.ts";

export type TransportFault = Extract<Fault, { operation: string }>;
/** A fault of meaning, or of notifications. */
type OtherFault = Exclude<Fault, TransportFault>;
type OtherMode = Exclude<FaultMode, TransportFault["mode"]>;

/** The faults of one process, in memory. */
export interface Faults {
  set(fault: Fault): void;
  /** Also drops what earlier faults remembered. */
  clear(): void;
  list(): readonly Fault[];
  /** Uses the oldest matching transport fault once; null if there is none. */
  takeTransport(
    operation: string,
    orderId: string | null,
    fits?: (fault: TransportFault) => boolean,
  ): TransportFault | null;
  /** Uses the oldest matching fault of the mode once; null if there is none. */
  take<Mode extends OtherMode>(
    mode: Mode,
    orderId: string,
    fits?: (fault: FaultOf<Mode>) => boolean,
  ): FaultOf<Mode> | null;
  /** Until then, the status shows this order. */
  saveStale(order: GatewayOrder, until: Date): void;
  /** Null if the status shows the current order. */
  staleOrder(orderId: string, now: Date): GatewayOrder | null;
  /** Delays the notification of the newest change until the next one. */
  delayNotification(orderId: string): void;
  /** Whether one was delayed, which it is no longer. */
  releaseNotification(orderId: string): boolean;
}

/** Several modes share a fault. */
type FaultOf<Mode extends OtherMode, Candidate = OtherFault> = Candidate extends OtherFault
  ? Mode extends Candidate["mode"]
    ? Candidate
    : never
  : never;

/** Each call looks at all of them. */
const faultsMax = 100;
/** Beyond it, the oldest order is dropped. */
const rememberedMax = 1_000;

export function createFaults(): Faults {
  let faults: readonly Fault[] = [];
  const stale = new Map<string, { readonly order: GatewayOrder; readonly until: Date }>();
  const delayed = new Set<string>();

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
      delayed.clear();
    },
    list: () => faults,
    takeTransport: (operation, orderId, fits = () => true) =>
      takeFirst(
        (fault): fault is TransportFault =>
          "operation" in fault && fault.operation === operation && concerns(fault, orderId) && fits(fault),
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
      delayed.add(orderId);
      forgetOldest(delayed);
    },
    releaseNotification: (orderId) => delayed.delete(orderId),
  };
}

function concerns(fault: Fault, orderId: string | null): boolean {
  return fault.orderId === undefined || fault.orderId === orderId;
}

/** Sets and maps iterate in the order of insertion. */
function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  if (remembered.size <= rememberedMax) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    return;
  }
}
