import type { CaseView } from "../api/responses.ts";
import { describeConnection } from "./connection-words.ts";
import { adviseOnRights } from "./legal-words.ts";

type Subject = Pick<CaseView, "decision" | "decisions" | "journeyTimes" | "facts">;

/** Why the change should not be accepted just like that, as sentences. */
export function acceptDangers({ decision, decisions, journeyTimes, facts }: Subject): readonly string[] {
  const broken = (journeyTimes ?? [])
    .flatMap(({ proposed }) => proposed.connections)
    .filter(({ state }) => state === "broken")
    .map((connection) => `The connection cannot be made: ${describeConnection(connection)}.`);
  const isHolding = (name: "connectionBroken" | "dataSuspect"): boolean => {
    const fact = facts?.[name];
    return fact?.known === true && fact.value === true;
  };
  const legal = decisions.find(({ id }) => id === decision?.id)?.legal;
  return [
    ...(decision?.rule === "check:status"
      ? [`The booking could not be read. ${decision.reasons[0]?.text ?? ""} It is not known what would be accepted.`]
      : []),
    ...broken,
    ...(broken.length === 0 && isHolding("connectionBroken") ? ["A connection cannot be made."] : []),
    ...(isHolding("dataSuspect") ? ["The proposed flights are impossible as they are stated."] : []),
    ...(legal?.hold.held === true
      ? [
          "By accepting, the traveller may lose a right:",
          ...adviseOnRights(legal?.verdicts ?? []).map(({ advice }) => advice),
        ]
      : []),
  ];
}
