import type { Command } from "commander";
import { describeReason as describeReasonOf } from "../../cases/outcome-words.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { createApiClient } from "../api-client.ts";
import { caseFilterOptions, chosenCaseFilters } from "../case-filter-options.ts";
import { formatInstant, paintState } from "../case-page.ts";
import { addPageOptions, type PageOptions, printList } from "../list-page.ts";
import { styleFor } from "../style.ts";
import { hasRoom } from "../table.ts";
import { printAside, type Terminal } from "../terminal.ts";

export function addCasesCommand(program: Command, terminal: Terminal): void {
  const command = program.command("cases").description("list cases, newest first");
  for (const option of caseFilterOptions()) command.addOption(option);
  addPageOptions(command, terminal).action((options: PageOptions) => listCases(options, terminal));
}

async function listCases(options: PageOptions, terminal: Terminal): Promise<void> {
  const { limit, cursor } = options;
  const filters = chosenCaseFilters(options);
  const page = await createApiClient(terminal, options).call("GET /cases", { query: { ...filters, limit, cursor } });
  const isFiltered = Object.keys(filters).length > 0;
  const style = styleFor(terminal);
  // An OrderID finds the case as well, and only the two sentences say what a case is about.
  const isWide = hasRoom(terminal, 160);
  const isMedium = hasRoom(terminal, 120);
  printList(page, options, terminal, {
    empty: isFiltered ? "No case matches." : "No cases yet.",
    columns: {
      Order: ({ orderId }) => orderId,
      References: isMedium && (({ gdsBookingReferences }) => gdsBookingReferences.join(",")),
      State: (item) => paintState(item.state, style),
      "What changed": { flexible: ({ headline }) => headline },
      Decision: isMedium && (({ decision }) => decision?.action ?? "–"),
      Reason: { flexible: describeReason },
      Case: isWide && (({ id }) => id),
    },
  });
  if (page.items.length === 0 && options.json !== true && filters.orderId?.includes("*") === true) {
    printAside(terminal, "--order takes a whole OrderID. --search finds parts of it.");
  }
}

function describeReason({ decision, lastError }: ApiTypes["GET /cases"]["response"]["items"][number]): string {
  if (decision !== null) return describeReasonOf(decision, formatInstant);
  return lastError === null ? "" : `last attempt failed: ${lastError.message}`;
}
