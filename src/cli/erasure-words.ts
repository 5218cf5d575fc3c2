import type { OrderErasure } from "../app/erase-command.ts";
import { counted } from "../kernel/counted.ts";
import type { ErasureBlocker, ErasureSubject } from "../store/erasure/erasure.ts";
import type { FoundTraveller } from "../store/erasure/find-traveller.ts";

/** Says in lines what is stored of an order or was erased, and what is in the way. */
export function describeErasure({ source, orderId, subject, outcome }: OrderErasure): readonly string[] {
  const name = `${source}/${orderId}`;
  if (subject === null) return [`${name}: nothing is stored.`];
  const unreadable = describeUnreadable(subject);
  switch (outcome?.outcome) {
    case undefined:
      return [describeStored(name, subject), ...subject.blockers.map(describeBlocker), ...unreadable];
    case "blocked":
      return [
        describeStored(name, subject),
        `${name}: not erased.`,
        ...outcome.blockers.map(describeBlocker),
        ...unreadable,
      ];
    case "erased": {
      const counts = Object.entries(outcome.counts).filter(([, count]) => count > 0);
      return [`${name}: erased. ${counts.map(([what, count]) => `${what}: ${count}`).join(", ")}`, ...unreadable];
    }
  }
}

function describeStored(name: string, { caseStates, quarantinedIds }: ErasureSubject): string {
  const states = caseStates.length === 0 ? "none" : caseStates.join(", ");
  return `${name}: cases: ${states}; notifications in quarantine: ${quarantinedIds.length}.`;
}

function describeUnreadable({ unreadable }: ErasureSubject): readonly string[] {
  if (unreadable === 0) return [];
  return [
    `  ${counted(unreadable, "notification")} in quarantine cannot be decrypted, and may name the order as well.`,
  ];
}

function describeBlocker(blocker: ErasureBlocker): string {
  return `  ${whatToDo(blocker)}`;
}

function whatToDo({ code, about }: ErasureBlocker): string {
  switch (code) {
    case "case-open":
      return `Case ${about} is open. Close it first.`;
    case "case-due":
      return `Case ${about} is finished and about to be checked once more. Try again in a minute.`;
    case "effect-live":
      return `The outcome of effect ${about} is not known yet. Confirm or refute it first.`;
    case "task-open":
      return `Task ${about} is open. Close it first.`;
    case "order-leased":
      return "A worker has the order. Try again in a minute.";
    case "notification-pending":
      return `Notification ${about} waits for a worker. Try again in a minute.`;
    case "notification-shared":
      return `Notification ${about} also belongs to another order, which is still worked on.`;
    case "event-being-delivered":
      return "An event of the order is being delivered. Try again in a minute.";
  }
}

/** Says in lines which orders and notifications name the traveller, and what could not be searched. */
export function describeFound({ orders, quarantined, searched, unreadable }: FoundTraveller): readonly string[] {
  return [
    `${searched} bodies and notes searched, ${counted(orders.length, "order")} found.`,
    ...orders.map(({ source, orderId, named, isUncertain }) => {
      const places = Object.entries(named).map(([what, count]) => `${count} × ${what}`);
      const doubt = isUncertain ? " Named only together with other orders: check it, then erase it by --order." : "";
      return `  ${source}/${orderId}: ${places.join(", ")}.${doubt}`;
    }),
    ...quarantined.map(({ id }) => `  Notification ${id} in quarantine.`),
    ...(unreadable === 0 ? [] : [`${unreadable} bodies cannot be decrypted. Add their key to ENCRYPTION_KEYS.`]),
  ];
}
