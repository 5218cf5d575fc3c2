import { operations } from "../src/contract/operations/registry.ts";
import { type FaultFamily, faultKinds } from "../src/gateway/fault-kinds.ts";
import { type StateTransition, stateTransitions } from "../src/gateway/order-states.ts";
import { pnrStatuses, scheduleChangeStatuses } from "../src/gateway/ports.ts";
import { scenarios } from "../src/gateway/scenarios/scenarios.ts";
import { fixedRoutes } from "../src/gateway/supply/fixed-routes.ts";

/** The tables of `docs/gateway.md` that follow from code, by the name of their place in the page. */
export const gatewayTables: Readonly<Record<string, () => string>> = {
  operations: renderOperations,
  states: renderStates,
  faults: renderFaults,
  "fixed-routes": renderFixedRoutes,
  scenarios: renderScenarios,
};

function renderOperations(): string {
  const rows = Object.values(operations).map((operation) => {
    const { name, requestRoot, responseRoot, summary, optionalService, readOnly } = operation;
    const marks = [readOnly ? null : "changes the order", optionalService ? "optional service" : null];
    const note = marks.filter((mark) => mark !== null).join(", ");
    return [`\`${name}\``, `\`${requestRoot}\``, `\`${responseRoot}\``, summary, note];
  });
  return table(["operation", "request root", "response root", "what it is for", ""], rows);
}

function renderStates(): string {
  const rows = stateTransitions.map((row) => [
    row.trigger,
    `${statuses(row.from.pnrStatuses, pnrStatuses)} / ${statuses(row.from.scheduleChangeStatuses, scheduleChangeStatuses)}`,
    `${outcome(row.to.pnrStatus)} / ${outcome(row.to.scheduleChangeStatus)}`,
    row.condition,
    row.choice,
  ]);
  return table(["trigger", "from: PnrStatus / ScheduleChangeStatus", "to", "when", "what was chosen"], rows);
}

/** Any, all but a few, or a few. */
function statuses(listed: readonly string[], all: readonly string[]): string {
  const missing = all.filter((status) => !listed.includes(status));
  if (missing.length === 0) return "any";
  return missing.length <= 2 && listed.length > 2 ? `any but ${names(missing)}` : names(listed);
}

function names(list: readonly string[]): string {
  return list.map((status) => (status === "" ? "blank" : status)).join(", ");
}

function outcome(status: StateTransition["to"]["pnrStatus" | "scheduleChangeStatus"]): string {
  return status === "same" ? "as it was" : status;
}

const families: Readonly<Record<FaultFamily, string>> = {
  transport: "how a response travels",
  meaning: "what a response says",
  notification: "which notifications are sent",
};

function renderFaults(): string {
  const rows = faultKinds.map(({ mode, family, description }) => [`\`${mode}\``, families[family], description]);
  return table(["`mode`", "where it shows", ""], rows);
}

function renderFixedRoutes(): string {
  const rows = fixedRoutes.map(({ from, to, description }) => [`${from}–${to}`, description]);
  return table(["one way", "what happens"], rows);
}

function renderScenarios(): string {
  const rows = scenarios.map(({ name, orders, summary, expectation }) => [
    `\`${name}\``,
    `${orders.usual} (${orders.max})`,
    summary,
    expectation,
  ]);
  return table(["scenario", "orders (most)", "what happens", "what to look for"], rows);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
