import { type Command, Option } from "commander";
import { readNotification } from "../../contract/notification.ts";
import type { OrderView } from "../../contract/order-view.ts";
import { describeChange } from "../../itinerary/describe.ts";
import { type FactName, factCatalogue } from "../../itinerary/fact-catalogue.ts";
import type { FactDefinition } from "../../itinerary/fact-definition.ts";
import { computeFacts } from "../../itinerary/facts.ts";
import { orderPartsOf } from "../../itinerary/facts-input.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import { readProposal } from "../../itinerary/proposal.ts";
import { type SeverityName, severityOf } from "../../itinerary/severity.ts";
import { AppError } from "../../kernel/app-error.ts";
import { formatFact, formatFlights } from "../case-page.ts";
import { readInput } from "../read-input.ts";
import { readInstant } from "../read-instant.ts";
import { type Style, styleFor, toOneLine } from "../style.ts";
import { formatTable } from "../table.ts";
import { type Finish, printJson, printLine, type Terminal } from "../terminal.ts";

interface FactsOptions {
  readonly status?: string;
  readonly format: "table" | "json";
  readonly now: Date;
}

/** An element of the output of `--format json`. */
interface OrderFacts {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly itineraries: { readonly booked: Itinerary; readonly accepted: Itinerary; readonly proposed: Itinerary };
  readonly facts: Readonly<Record<string, ShownFact>>;
  readonly severity: SeverityName;
  /** Those that the severity follows from. */
  readonly severityFacts: readonly FactName[];
  readonly summary: string;
}

type ShownFact = (
  | { readonly known: true; readonly value: unknown }
  | { readonly known: false; readonly reason: string }
) & {
  readonly unit: string | null;
};

/** Exit code 1 if the facts of an order cannot be computed. */
export function addFactsCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("facts")
    .description("compute the facts of a notification, without a server")
    .argument("<file>", "a notification as JSON, or - for standard input")
    .option("--status <file>", "the response of AirReservationStatus, from which the proposal is read")
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .addOption(
      new Option("--now <instant>", "compute as of this instant, such as 2027-01-01T00:00:00Z")
        .argParser(readInstant)
        .default(new Date(), "now"),
    )
    .action(async (file: string, options: FactsOptions) => finish(await showFacts(file, options, terminal)));
}

async function showFacts(file: string, options: FactsOptions, terminal: Terminal): Promise<number> {
  if (file === "-" && options.status === "-") {
    throw new AppError("cli.two_inputs", "Only one of the two inputs can be standard input.");
  }
  const notified = await readView(file, terminal);
  const status = options.status === undefined ? notified : await readView(options.status, terminal);
  let exitCode = 0;
  let isFirst = true;
  for (const orderId of new Set(notified.orders.map((order) => order.orderId))) {
    const found = computeOrderFacts(orderId, notified, status, options.now);
    if (found === null) {
      printLine(terminal.stderr, `The status in ${options.status} does not show order ${toOneLine(orderId)}.`);
      exitCode = 1;
      continue;
    }
    if (options.format === "json") printJson(terminal, found);
    else
      for (const line of [...(isFirst ? [] : [""]), ...formatOrder(found, terminal)]) printLine(terminal.stdout, line);
    isFirst = false;
  }
  return exitCode;
}

/**
 * Like the worker for an unknown order: what the notification lists counts as booked, because a status may be newer.
 */
function computeOrderFacts(orderId: string, notified: OrderView, status: OrderView, now: Date): OrderFacts | null {
  const proposal = readProposal(status, orderId);
  if (proposal === null) return null;
  const parsed = readProposal(notified, orderId);
  const isListed = parsed !== null && parsed.current.segments.length > 0;
  const booked = isListed ? parsed.current : proposal.current;
  const facts = computeFacts({
    booked,
    accepted: booked,
    proposal,
    passengers: status.passengers,
    order: orderPartsOf(status, orderId),
    notified: parsed === null ? null : { ...orderPartsOf(notified, orderId), flights: parsed },
    baseline: isListed ? "notice" : "status",
    now,
  });
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const severity = severityOf(facts);
  return {
    orderId,
    gdsBookingReferences: proposal.gdsBookingReferences,
    itineraries: { booked, accepted: booked, proposed },
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, { ...fact, unit: unitOf(name as FactName) }]),
    ),
    severity: severity.name,
    severityFacts: severity.because,
    summary: describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys }),
  };
}

function unitOf(name: FactName): string | null {
  const definition: FactDefinition = factCatalogue[name];
  return definition.unit ?? null;
}

/** @throws AppError with the code of the contract's problem, `cli.file_unreadable` or `cli.input_too_long` */
async function readView(file: string, terminal: Terminal): Promise<OrderView> {
  const reading = readNotification(await readInput(file, terminal));
  if (reading.ok) return reading.view;
  const { code, path, message } = reading.problem;
  const name = file === "-" ? "Standard input" : `The file ${file}`;
  const place = path === "" ? "" : ` at ${path}`;
  throw new AppError(code, `${name} cannot be used (${code}${place}): ${message}`);
}

function formatOrder(found: OrderFacts, terminal: Terminal): readonly string[] {
  const style = styleFor(terminal);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  const because = found.severityFacts.length === 0 ? "" : ` (${found.severityFacts.join(", ")})`;
  const rows = Object.entries(found.facts).map(([name, fact]) => [name, formatFact(fact, style), unitIn(fact)]);
  return [
    `${style.bold(`Order ${toOneLine(found.orderId)}`)}  ${found.gdsBookingReferences.map(toOneLine).join(", ")}`.trimEnd(),
    toOneLine(found.summary),
    `Severity: ${paintSeverity(found.severity, style)}${because}`,
    "",
    style.bold("Flights"),
    ...formatFlights(found.itineraries, { style, width }),
    "",
    style.bold("Facts"),
    ...formatTable([{ title: "Fact" }, { title: "Value", flexible: true }, { title: "Unit" }], rows, {
      width,
      titleStyle: style.dim,
      indent: "  ",
    }),
  ];
}

function unitIn(fact: ShownFact): string {
  return fact.known ? (fact.unit ?? "") : "";
}

function paintSeverity(severity: SeverityName, style: Style): string {
  if (severity === "critical") return style.bad(severity);
  if (severity === "major") return style.warn(severity);
  return severity === "improvement" ? style.good(severity) : severity;
}
