import type { Evidence, Flight, GatewayChange, JournalCall, StoredCase, StoredEffect } from "./evidence.ts";

/** A promise that was broken: which, by what. */
export interface Violation {
  readonly promise: PromiseName;
  readonly subject: string;
  readonly text: string;
}

/** Each thing that must hold after a run, in words. */
export const promises = {
  delivered: "every notification was acknowledged in the end",
  "not-lost": "every acknowledged notification is stored, with as many receipts as acknowledgements at least",
  "in-a-case": "every stored notification is a usable one and belongs to a case",
  "success-once": "the gateway responded with SUCCESS once at most for each change and booking reference",
  "sent-as-recorded": "the gateway was called for an effect as often as was recorded before, or less",
  "success-is-ours": "every SUCCESS of the gateway belongs to an effect that is not believed to have failed",
  "ours-is-success": "every effect that is believed to have succeeded has its SUCCESS at the gateway",
  "flags-bind": "nothing was carried out against the flags of the change",
  "same-proposal": "what was carried out is what was decided about, or the airline replaced it after the last read",
  "right-end":
    "a finished case leaves no announced change unanswered, and the accepted flights are those that are booked",
  "not-stuck": "every open case waits for a person, or is due",
} as const;
type PromiseName = keyof typeof promises;

const effectOperations: Readonly<Record<string, StoredEffect["action"]>> = {
  AirOrderInvoluntaryAccept: "accept",
  AirOrderInvoluntaryCancel: "cancel",
};
const finished: readonly string[] = ["done", "resolved-elsewhere", "closed"];
const waiting: readonly string[] = ["awaiting-agent", "ask-traveller", "awaiting-traveller"];
const live: readonly string[] = ["planned", "sent", "unknown"];
/** How far in the past a due time may lie while a worker is about to look. */
const overdueMs = 10_000;

/** Compares the gateway's tables with ours, as they are when nothing moves any more. Empty: every promise was kept. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  return [
    ...checkNotifications(evidence),
    ...checkSuccesses(evidence),
    ...checkEffects(evidence),
    ...checkEnds(evidence),
    ...checkProgress(evidence),
  ];
}

function* checkNotifications({ deliveries, notifications }: Evidence): Generator<Violation> {
  const stored = new Map(notifications.map((notification) => [notification.digest, notification]));
  const acknowledged = new Map<string, number>();
  for (const delivery of deliveries) {
    acknowledged.set(delivery.digest, (acknowledged.get(delivery.digest) ?? 0) + delivery.acknowledged);
    if (delivery.state !== "delivered") {
      yield { promise: "delivered", subject: delivery.orderId, text: `a delivery is ${delivery.state}` };
    }
  }
  for (const [digest, times] of acknowledged) {
    const receipts = stored.get(digest)?.receipts ?? 0;
    if (receipts < times) {
      yield { promise: "not-lost", subject: digest, text: `${times} acknowledged, ${receipts} received` };
    }
  }
  for (const { digest, state, cases } of notifications) {
    if (state === "quarantined") yield { promise: "in-a-case", subject: digest, text: "it is quarantined" };
    else if (cases === 0) yield { promise: "in-a-case", subject: digest, text: "it has no case" };
  }
}

function* checkSuccesses(evidence: Evidence): Generator<Violation> {
  const changes = new Map(evidence.changes.map((change) => [change.id, change]));
  const effects = groupBy(evidence.effects, ({ orderId }) => orderId);
  const succeeded = new Set<string>();
  /** The last status of each order. */
  const seen = new Map<string, JournalCall>();
  for (const call of evidence.journal) {
    if (call.operation === "AirReservationStatus" && call.result === "SUCCESS") seen.set(call.orderId, call);
    const action = effectOperations[call.operation];
    if (action === undefined || (call.result !== "SUCCESS" && call.result !== "MIXED")) continue;
    const subject = `${call.orderId} ${action} ${call.changeId}`;
    for (const reference of call.references) {
      const key = `${call.changeId} ${reference}`;
      if (call.result === "SUCCESS" && succeeded.has(key)) {
        yield { promise: "success-once", subject, text: `a second SUCCESS for ${reference}` };
      }
      succeeded.add(key);
    }
    const effect = effectBehind(effects.get(call.orderId) ?? [], call, action);
    const change = changes.get(call.changeId ?? "");
    if (effect === undefined) {
      yield { promise: "success-is-ours", subject, text: "no effect was planned for it" };
      continue;
    }
    if (effect.state === "failed" && effect.errorCode !== "desk.mixed_results") {
      yield { promise: "success-is-ours", subject, text: `effect ${effect.id} is failed (${effect.errorCode})` };
    }
    if (change === undefined) {
      yield { promise: "same-proposal", subject, text: "SUCCESS for a change that the gateway does not have" };
      continue;
    }
    for (const reference of call.references) {
      const flag = change.flags?.get(reference)?.[action];
      if (flag !== undefined && flag !== "Y" && call.result === "SUCCESS") {
        yield { promise: "flags-bind", subject, text: `the flag of ${reference} is ${flag ?? "missing"}` };
      }
    }
    const status = seen.get(call.orderId) ?? null;
    const shown = status?.changeId ?? null;
    // A status that hides the change is no licence for a rule to answer whichever one is pending. A person may: they are told
    // that it is hidden.
    const isKnowing = shown === null && effect.decidedBy.startsWith("person:");
    const isReplaced =
      shown === null
        ? wasReplaced(call, status) && isAboutEarlier(effect, change, evidence.changes)
        : shown !== change.id;
    if (!isReplaced && !isKnowing && !isAbout(effect, change)) {
      yield { promise: "same-proposal", subject, text: `effect ${effect.id} was decided about other flights` };
    }
  }
}

/** The newest effect of the order that was planned before the call. Of one order there is one at a time. */
function effectBehind(
  effects: readonly StoredEffect[],
  { at, references }: JournalCall,
  action: StoredEffect["action"],
): StoredEffect | undefined {
  return effects
    .filter((effect) => effect.action === action && effect.plannedAt <= at)
    .filter((effect) => references.every((reference) => effect.references.includes(reference)))
    .at(-1);
}

/** Whether the order changed at the gateway after a status that hid the change, so that another one may have been pending. */
function wasReplaced(call: JournalCall, status: JournalCall | null): boolean {
  return status !== null && status.orderVersion < call.orderVersion;
}

/** Ids ascend with time. */
function isAboutEarlier(
  effect: StoredEffect,
  { id, orderId }: GatewayChange,
  changes: readonly GatewayChange[],
): boolean {
  return changes.some((other) => other.orderId === orderId && other.id < id && isAbout(effect, other));
}

function isAbout({ proposed }: StoredEffect, { becomes }: GatewayChange): boolean {
  return becomes.every((flight) => proposed.some((decided) => fits(decided, flight)));
}

/** A view may leave times out; what it shows must be right. */
function fits(decided: Flight, real: Flight): boolean {
  return (Object.keys(real) as (keyof Flight)[]).every((key) => decided[key] === null || decided[key] === real[key]);
}

function* checkEffects({ effects, journal }: Evidence): Generator<Violation> {
  const calls = groupBy(
    journal.filter(({ operation, result }) => effectOperations[operation] !== undefined && result !== "ERROR"),
    ({ orderId }) => orderId,
  );
  for (const [orderId, own] of groupBy(effects, (effect) => effect.orderId)) {
    const called = calls.get(orderId) ?? [];
    const sends = own.reduce((sum, effect) => sum + effect.sends, 0);
    if (called.length > sends) {
      yield { promise: "sent-as-recorded", subject: orderId, text: `${called.length} calls, ${sends} recorded` };
    }
    for (const effect of own) {
      const isCarriedOut = called.some(
        (call) => call.result !== "FAILED" && effectBehind(own, call, effectOperations[call.operation]!) === effect,
      );
      if (effect.state === "succeeded" && !isCarriedOut) {
        yield { promise: "ours-is-success", subject: orderId, text: `effect ${effect.id} (${effect.action})` };
      }
      if (
        effect.state !== "failed" &&
        effect.sends > 0 &&
        effect.flag !== "Y" &&
        effect.flag !== "differs-by-reference"
      ) {
        yield {
          promise: "flags-bind",
          subject: orderId,
          text: `effect ${effect.id} was decided on flag ${effect.flag}`,
        };
      }
    }
  }
}

function* checkEnds({ cases, gatewayOrders, changes, accepted }: Evidence): Generator<Violation> {
  const announced = new Map(changes.map((change) => [change.id, change.announced]));
  const newest = new Map(cases.map((found) => [found.orderId, found]));
  for (const { orderId, openChangeId, flights } of gatewayOrders) {
    const end = newest.get(orderId);
    const isOpen = openChangeId !== null && announced.get(openChangeId) === true;
    if (isOpen && (end === undefined || (finished.includes(end.state) && !isClosedByPerson(end)))) {
      const state = end === undefined ? "without a case" : end.state;
      yield {
        promise: "right-end",
        subject: orderId,
        text: `change ${openChangeId} is open and the order is ${state}`,
      };
    }
    const ours = accepted.get(orderId);
    if (openChangeId === null && end?.state === "done" && end.action === "accept" && ours !== undefined) {
      const same = ours.length === flights.length && flights.every((flight) => ours.some((own) => fits(own, flight)));
      if (!same) yield { promise: "right-end", subject: orderId, text: "other flights are booked than were accepted" };
    }
  }
}

/** Whoever closes a case knows that its change stays unanswered. */
function isClosedByPerson({ state, decidedBy }: StoredCase): boolean {
  return state === "closed" && decidedBy !== null && decidedBy.startsWith("person:");
}

function* checkProgress({ cases, effects }: Evidence): Generator<Violation> {
  const byId = new Map(cases.map((found) => [found.id, found]));
  const isMoving = ({ dueInMs }: StoredCase): boolean => dueInMs !== null && dueInMs > -overdueMs;
  for (const found of cases) {
    if (found.dueInMs !== null && found.dueInMs <= -overdueMs) {
      const text = `case ${found.id} (${found.state}) is due for ${Math.round(-found.dueInMs / 1_000)} s`;
      yield { promise: "not-stuck", subject: found.orderId, text };
    } else if (!finished.includes(found.state) && !waiting.includes(found.state) && !isMoving(found)) {
      yield { promise: "not-stuck", subject: found.orderId, text: `case ${found.id} is ${found.state} and not due` };
    }
  }
  for (const effect of effects) {
    if (!live.includes(effect.state)) continue;
    const owner = byId.get(effect.caseId);
    if (owner !== undefined && (waiting.includes(owner.state) || isMoving(owner))) continue;
    const text = `effect ${effect.id} is ${effect.state} while its case is ${owner?.state}`;
    yield { promise: "not-stuck", subject: effect.orderId, text };
  }
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
