import { type AcceptDanger, findAcceptDangers } from "../../../cases/accept-dangers.ts";
import { describeOrdersToStop } from "../../../itinerary/order-to-stop-words.ts";
import type { CaseView } from "../api/responses.ts";
import { describeConnection } from "./connection-words.ts";
import { rightsLostByAccepting } from "./legal-words.ts";

type Subject = Pick<CaseView, "decision" | "decisions" | "journeyTimes" | "facts">;

/** The danger of one of many cases, in words without a full stop. */
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

/** What somebody has done about such dangers who accepts nevertheless. @param what `this`, or of many cases `each` */
export function describeCheck(dangers: readonly AcceptDanger[], what: "this" | "it" | "each"): string {
  const isOrder = (danger: AcceptDanger): boolean => danger === "order-to-stop";
  const done = [
    ...(dangers.some(isOrder) ? ["read what the gateway sent"] : []),
    ...(dangers.every(isOrder) ? [] : [`checked ${what} with the traveller`]),
  ];
  return `I have ${done.join(" and ")}`;
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
    ...(is("order-to-stop") ? [describeOrdersToStop(ordersIn(facts))] : []),
    ...broken,
    ...(broken.length === 0 && is("connection-broken") ? [`${dangerWords["connection-broken"]}.`] : []),
    ...(is("data-suspect") ? [`${dangerWords["data-suspect"]}.`] : []),
    ...(is("legal-hold") ? [describeLoss(rightsLostByAccepting(legal?.verdicts ?? []))] : []),
  ];
}

function ordersIn(facts: Subject["facts"]): readonly string[] {
  const stated = facts?.["ordersToStop"];
  return stated?.known === true && Array.isArray(stated.value) ? stated.value.map(String) : [];
}

function describeLoss(lost: readonly string[]): string {
  if (lost.length === 0) return `${dangerWords["legal-hold"]}: no law could be looked at.`;
  return `By accepting, the traveller may lose ${lost.join(" and ")}.`;
}
