import { type Command, Option } from "commander";
import { readChange } from "../../app/read-change.ts";
import { orderIdsOf, viewOfOrder } from "../../contract/order-views.ts";
import type { SeverityName } from "../../itinerary/severity.ts";
import { AppError } from "../../kernel/app-error.ts";
import { formatFact, formatFlights } from "../case-page.ts";
import { computeOrderFacts, type OrderFact, type OrderFacts } from "../order-facts.ts";
import { readInput } from "../read-input.ts";
import { readInstant } from "../read-instant.ts";
import { type MarksOptions, readMarks } from "../read-marks.ts";
import { type Style, styleFor } from "../style.ts";
import { formatTable } from "../table.ts";
import { type Finish, printJson, printLine, type Terminal } from "../terminal.ts";

interface FactsOptions extends Pick<MarksOptions, "marks"> {
  readonly status?: string;
  readonly json?: boolean;
  readonly now: Date;
}

/** Exit code 1 if the facts of an order cannot be computed. */
export function addFactsCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("facts")
    .description("compute the facts of a notification, without a server")
    .argument("<file>", "a notification as JSON, or - for standard input")
    .option("--status <file>", "the response of AirReservationStatus, from which the proposal is read")
    .option("--marks <file>", "members that are harmless for the source, beside the shipped ones, as YAML or JSON")
    .option("--json", "print one JSON document for each order")
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
  const { notified, status } = await readBodies(file, options.status ?? null, terminal);
  if (status?.view === null) {
    printLine(terminal.stderr, status.refused.reason.text);
    return 1;
  }
  const known = { now: options.now, marks: await readMarks(options, terminal) };
  let exitCode = 0;
  let isFirst = true;
  for (const orderId of orderIdsOf(notified)) {
    const own = viewOfOrder(notified, orderId);
    const found = own && computeOrderFacts(orderId, own, status?.view ?? own, known);
    if (found === null) {
      const order = `order ${orderId}`;
      const why =
        own === null
          ? `Several order views of the list state ${order}. Give one of them.`
          : `The status in ${options.status} does not show ${order}.`;
      printLine(terminal.stderr, why);
      exitCode = 1;
      continue;
    }
    if (options.json === true) printJson(terminal, found);
    else
      for (const line of [...(isFirst ? [] : [""]), ...formatOrder(found, terminal)]) printLine(terminal.stdout, line);
    isFirst = false;
  }
  return exitCode;
}

/** @throws AppError with the code of the contract's problem, `cli.file_unreadable` or `cli.input_too_long` */
async function readBodies(file: string, statusFile: string | null, terminal: Terminal) {
  const body = await readInput(file, terminal);
  const reading = readChange({ body, statusBody: statusFile === null ? null : await readInput(statusFile, terminal) });
  if (reading.ok) return reading;
  const { of, code, path, message } = reading;
  const place = path === "" ? "" : ` at ${path}`;
  const given = of === "notification" ? file : statusFile;
  const name = given === "-" ? "Standard input" : `The file ${given}`;
  throw new AppError(code, `${name} cannot be used (${code}${place}): ${message}`);
}

function formatOrder(found: OrderFacts, terminal: Terminal): readonly string[] {
  const style = styleFor(terminal);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  const because = found.severityFacts.length === 0 ? "" : ` (${found.severityFacts.join(", ")})`;
  const rows = Object.entries(found.facts).map(([name, fact]) => [name, formatFact(fact, style), unitIn(fact)]);
  return [
    `${style.bold(`Order ${found.orderId}`)}  ${found.gdsBookingReferences.join(", ")}`.trimEnd(),
    found.summary,
    `Severity: ${paintSeverity(found.severity, style)}${because}`,
    "",
    style.bold("Flights"),
    ...formatFlights(found, { style, width }),
    "",
    style.bold("Facts"),
    ...formatTable([{ title: "Fact" }, { title: "Value", flexible: true }, { title: "Unit" }], rows, {
      width,
      titleStyle: style.dim,
      indent: "  ",
    }),
  ];
}

function unitIn(fact: OrderFact): string {
  return fact.known ? (fact.unit ?? "") : "";
}

function paintSeverity(severity: SeverityName, style: Style): string {
  if (severity === "critical") return style.bad(severity);
  if (severity === "major") return style.warn(severity);
  return severity === "improvement" ? style.good(severity) : severity;
}
