import { type AcceptDanger, findAcceptDangers } from "../../../cases/accept-dangers.ts";
import type { CaseView } from "../api/responses.ts";
import { describeConnection } from "./connection-words.ts";
import { rightsLostByAccepting } from "./legal-words.ts";

type Subject = Pick<CaseView, "decision" | "decisions" | "journeyTimes" | "facts">;

/** Of one of many cases, without a full stop. */
export const dangerWords: Readonly<Record<AcceptDanger, string>> = {
  "unread-booking": "The booking could not be read",
  "connection-broken": "A connection cannot be made",
  "data-suspect": "The proposed flights are impossible as they are stated",
  "legal-hold": "By accepting, the traveller may lose a right",
};

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
  const legal = decisions.find(({ id }) => id === decision?.id)?.legal;
  const found = findAcceptDangers({ rule: decision?.rule ?? null, facts, isHeld: legal?.hold.held === true });
  const is = (danger: AcceptDanger): boolean => found.includes(danger);
  return [
    ...(is("unread-booking")
      ? [
          `${dangerWords["unread-booking"]}. ${decision?.reasons[0]?.text ?? ""} It is not known what would be accepted.`,
        ]
      : []),
    ...broken,
    ...(broken.length === 0 && is("connection-broken") ? [`${dangerWords["connection-broken"]}.`] : []),
    ...(is("data-suspect") ? [`${dangerWords["data-suspect"]}.`] : []),
    ...(is("legal-hold") ? [describeLoss(rightsLostByAccepting(legal?.verdicts ?? []))] : []),
  ];
}

function describeLoss(lost: readonly string[]): string {
  if (lost.length === 0) return `${dangerWords["legal-hold"]}: no law could be looked at.`;
  return `By accepting, the traveller may lose ${lost.join(" and ")}.`;
}
