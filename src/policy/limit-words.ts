import { spanOf } from "../itinerary/span.ts";
import type { ConditionInputs } from "./condition-inputs.ts";
import { evaluateCondition } from "./evaluate-condition.ts";
import type { ThresholdLimit, ThresholdLimits } from "./thresholds.ts";

/**
 * Describes the limits that count for the ways in which a change moves: `limit 30 min`, or `limits departure 15 min
 * earlier, arrival 30 min later` if they differ. `limit unknown` if it is unknown which row counts.
 * @param rows of one set of thresholds: the first that applies counts.
 */
export function describeLimits(rows: readonly ThresholdLimits[], inputs: ConditionInputs): string {
  for (const { applies, limits } of rows) {
    const truth = applies === null ? true : evaluateCondition(applies, inputs, null);
    if (truth === true) return describeRow(limits, inputs);
    if (truth !== false) return "limit unknown";
  }
  return "no limit applies";
}

function describeRow(limits: readonly ThresholdLimit[], inputs: ConditionInputs): string {
  const moved = limits.filter(({ fact }) => {
    const move = inputs.read(fact);
    return !move.known || move.value !== 0;
  });
  const shown = moved.length > 0 ? moved : limits;
  const minutes = [...new Set(shown.map((limit) => limit.minutes))];
  if (minutes.length === 1) return minutes[0] === "any" ? "no limit" : `limit ${spanOf(minutes[0]!)}`;
  const words = shown.map(({ end, direction, minutes: most }) =>
    most === "any" ? `${end} any time ${direction}` : `${end} ${spanOf(most)} ${direction}`,
  );
  return `limits ${words.join(", ")}`;
}
