import type { StateTransition } from "../src/gateway/order-states.ts";

/** The states of a booking reference at the gateway, as a table for `docs/gateway.md`. */
export function renderOrderStates(transitions: readonly StateTransition[]): string {
  return [
    "| trigger | `PnrStatus` before | `ScheduleChangeStatus` before | after | when | decided here |",
    "|---|---|---|---|---|---|",
    ...transitions.map(({ trigger, from, to, condition, choice }) => {
      const after = `${statusText(to.pnrStatus)}, ${statusText(to.scheduleChangeStatus)}`;
      const cells = [trigger, listOf(from.pnrStatuses, 7), listOf(from.scheduleChangeStatuses, 5), after];
      return `| ${[...cells, condition, choice].join(" | ")} |`;
    }),
  ].join("\n");
}

function listOf(statuses: readonly string[], all: number): string {
  return statuses.length === all ? "any" : statuses.map(statusText).join(", ");
}

function statusText(status: string): string {
  if (status === "same") return "as it was";
  return status === "" ? "blank" : `\`${status}\``;
}
