import { type Command, Option } from "commander";
import { shownStates } from "../../cases/lifecycle.ts";
import { describeReason as describeReasonOf } from "../../cases/outcome-words.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { createApiClient } from "../api-client.ts";
import { formatInstant, paintState } from "../case-page.ts";
import { addPageOptions, type PageOptions, printList } from "../list-page.ts";
import { styleFor } from "../style.ts";
import { hasRoom } from "../table.ts";
import { printAside, type Terminal } from "../terminal.ts";

/** The filters of `GET /cases` by their names there, but for the order. */
interface CasesOptions
  extends PageOptions,
    Partial<Record<"state" | "source" | "assignee" | "flight" | "flightDate", string>> {
  readonly order?: string;
  readonly overdue?: boolean;
}

export function addCasesCommand(program: Command, terminal: Terminal): void {
  const state = new Option("--state <states>", "only these states, separated by commas");
  // The help and completion name them. Set by `choices`, commander would refuse several.
  state.argChoices = [...shownStates];
  const command = program
    .command("cases")
    .description("list cases, newest first")
    .addOption(state)
    .option("--order <OrderID>", "only this order")
    .option("--source <source>", "only this source")
    .option("--assignee <user>", "only those assigned to this user; me, or none")
    .option("--overdue", "only overdue cases")
    .option("--flight <flight>", "only those whose change touches this flight, such as LH1167")
    .option("--flight-date <date>", "the local departure date as booked, yyyy-mm-dd");
  addPageOptions(command, terminal).action((options: CasesOptions) => listCases(options, terminal));
}

async function listCases(options: CasesOptions, terminal: Terminal): Promise<void> {
  const { state, order, source, assignee, overdue, flight, flightDate, limit, cursor } = options;
  const filters = {
    ...{ state, orderId: order, source, assignee, flight, flightDate },
    overdue: overdue === true ? "true" : undefined,
  };
  const page = await createApiClient(terminal, options).call("GET /cases", { query: { ...filters, limit, cursor } });
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
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
  if (page.items.length === 0 && options.json !== true && order?.includes("*") === true) {
    printAside(terminal, "--order takes a whole OrderID. The search of the dashboard finds parts of it.");
  }
}

function describeReason({ decision, lastError }: ApiTypes["GET /cases"]["response"]["items"][number]): string {
  if (decision !== null) return describeReasonOf(decision, formatInstant);
  return lastError === null ? "" : `last attempt failed: ${lastError.message}`;
}
