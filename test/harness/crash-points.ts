import type { Change } from "../../src/cases/step.ts";
import type { Gateway } from "../../src/worker/gateway-ports.ts";
import type { CaseStore } from "../../src/worker/ports.ts";

/** Told of each place at which a worker may die: `before` or `after` something that it saves or calls. */
export type OnPoint = (point: string) => void;

/** The same store, which tells of each order that is about to be taken or was, and of each change that is saved. */
export function storeWithPoints(store: CaseStore, reached: OnPoint): CaseStore {
  return {
    ...store,
    take: (...call) => between("take", reached, () => store.take(...call)),
    save: (lease, work, changes, then) =>
      between(changes.map(nameOf).join(" + "), reached, () => store.save(lease, work, changes, then)),
  };
}

/** The same gateway, which tells of what is about to be called and of what has responded. */
export function gatewayWithPoints(gateway: Gateway, reached: OnPoint): Gateway {
  return {
    readStatus: (query) => between("AirReservationStatus", reached, () => gateway.readStatus(query)),
    readDocuments: (query) => between("AirDocRetreive", reached, () => gateway.readDocuments(query)),
    accept: (query) => between("AirOrderInvoluntaryAccept", reached, () => gateway.accept(query)),
    cancel: (query) => between("AirOrderInvoluntaryCancel", reached, () => gateway.cancel(query)),
  };
}

async function between<T>(name: string, reached: OnPoint, act: () => Promise<T>): Promise<T> {
  reached(`before ${name}`);
  const result = await act();
  reached(`after ${name}`);
  return result;
}

/** A change by its kind and what tells it from others of the kind. */
function nameOf(change: Change): string {
  switch (change.kind) {
    case "status-view":
      return `status-view (${change.purpose})`;
    case "move":
      return change.event === null ? "move" : `move (${change.event.kind})`;
    case "effect-sent":
      return change.attempt.effectId === null ? "effect-sent" : "effect-sent (again)";
    case "effect-outcome":
      return `effect-outcome (${change.outcome.state})`;
    case "settle-read":
      return change.followUp === null ? "settle-read" : "settle-read (person asked)";
    default:
      return change.kind;
  }
}
