import { type AcceptDanger, findAcceptDangers } from "../../../cases/accept-dangers.ts";
import type { CaseView } from "../api/responses.ts";
import { describeConnection } from "./connection-words.ts";
import { rightsLostByAccepting } from "./legal-words.ts";

type Subject = Pick<CaseView, "decision" | "decisions" | "journeyTimes" | "facts">;

/** Of one of many cases, without a full stop. */
export const dangerWords: Readonly<Record<AcceptDanger, string>> = {
  "unread-booking": "The booking could not be read",
  "order-to-stop": "The gateway states something to look at first",
  "connection-broken": "A connection cannot be made",
  "data-suspect": "The proposed flights are impossible as they are stated",
  "legal-hold": "By accepting, the traveller may lose a right",
};

export function acceptDangerNamesOf(subject: Omit<Subject, "journeyTimes">): readonly AcceptDanger[] {
  const { decision, facts } = subject;
  return findAcceptDangers({
    rule: decision?.rule ?? null,
    facts,
    isHeld: legalOf(subject)?.hold.held === true,
  });
}

/** Who has to be asked about such dangers before the change is accepted. */
export function whoKnows(dangers: readonly AcceptDanger[]): string {
  const isOrder = (danger: AcceptDanger): boolean => danger === "order-to-stop";
  if (!dangers.some(isOrder)) return "the traveller";
  return dangers.every(isOrder) ? "the airline" : "the airline and the traveller";
}

function legalOf({ decision, decisions }: Pick<Subject, "decision" | "decisions">) {
  return decisions.find(({ id }) => id === decision?.id)?.legal;
}

/** Why the change should not be accepted just like that, as sentences. */
export function acceptDangers({ decision, decisions, journeyTimes, facts }: Subject): readonly string[] {
  const broken = (journeyTimes ?? [])
    .flatMap(({ proposed }) => proposed.connections)
    .filter(({ state }) => state === "broken" || state === "no-flight")
    .map((connection) =>
      connection.state === "no-flight"
        ? `The way is interrupted: ${describeConnection(connection)}.`
        : `The connection cannot be made: ${describeConnection(connection)}.`,
    );
  const found = acceptDangerNamesOf({ decision, decisions, facts });
  const legal = legalOf({ decision, decisions });
  const is = (danger: AcceptDanger): boolean => found.includes(danger);
  return [
    ...(is("unread-booking")
      ? [
          `${dangerWords["unread-booking"]}. ${decision?.reasons[0]?.text ?? ""} It is not known what would be accepted.`,
        ]
      : []),
    ...(is("order-to-stop") ? [`${dangerWords["order-to-stop"]}: ${describeOrders(facts)}.`] : []),
    ...broken,
    ...(broken.length === 0 && is("connection-broken") ? [`${dangerWords["connection-broken"]}.`] : []),
    ...(is("data-suspect") ? [`${dangerWords["data-suspect"]}.`] : []),
    ...(is("legal-hold") ? [describeLoss(rightsLostByAccepting(legal?.verdicts ?? []))] : []),
  ];
}

/** More would hide the rest of the dialog. */
const namedOrdersMax = 5;

/** An order is its path, and usually the word that tells to stop: `Order.Remarks: cancel`. The last may count others. */
function describeOrders(facts: Subject["facts"]): string {
  const stated = facts?.["ordersToStop"];
  const entries = stated?.known === true && Array.isArray(stated.value) ? stated.value.map(String) : [];
  const [, more = null] = /^and (\d+) more$/.exec(entries.at(-1) ?? "") ?? [];
  const orders = more === null ? entries : entries.slice(0, -1);
  const named = orders.slice(0, namedOrdersMax).map((order) => {
    const at = order.lastIndexOf(": ");
    return at < 0 ? order : `“${order.slice(at + 2)}” in ${order.slice(0, at)}`;
  });
  const others = orders.length + Number(more ?? 0) - named.length;
  return [...named, ...(others === 0 ? [] : [`and ${others} more`])].join(", ");
}

function describeLoss(lost: readonly string[]): string {
  if (lost.length === 0) return `${dangerWords["legal-hold"]}: no law could be looked at.`;
  return `By accepting, the traveller may lose ${lost.join(" and ")}.`;
}
