import { AppError } from "../../kernel/app-error.ts";
import { checkOrder, type ReadOrder, refused } from "./check-order.ts";
import type { NumberedLine } from "./lines.ts";

/** Names in the header match without regard to case, blanks, `_` and `-`. */
const columns = {
  OrderID: { required: true },
  GdsBookingReference: { required: true },
  Departure: { required: true },
  DepartureDate: { required: true },
  DepartureTime: { required: true },
  Arrival: { required: true },
  ArrivalDate: { required: true },
  ArrivalTime: { required: true },
  MarketingCarrier: { required: true },
  FlightNumber: { required: true },
  OperatingCarrier: { required: false },
  Journey: { required: false },
  CabinType: { required: false },
  RBD: { required: false },
  AircraftCode: { required: false },
  DepartureTerminal: { required: false },
  ArrivalTerminal: { required: false },
} as const satisfies Record<string, { readonly required: boolean }>;

type Column = keyof typeof columns;
type Row = Readonly<Record<Column, string>>;

/** The column for each path of a stated order, for problem messages. */
const columnOfPath: Readonly<Record<string, Column>> = {
  "departure/airport": "Departure",
  "departure/date": "DepartureDate",
  "departure/time": "DepartureTime",
  "departure/terminal": "DepartureTerminal",
  "arrival/airport": "Arrival",
  "arrival/date": "ArrivalDate",
  "arrival/time": "ArrivalTime",
  "arrival/terminal": "ArrivalTerminal",
  marketingCarrier: "MarketingCarrier",
  marketingFlightNumber: "FlightNumber",
  operatingCarrier: "OperatingCarrier",
  journey: "Journey",
  cabinType: "CabinType",
  rbd: "RBD",
  aircraftCode: "AircraftCode",
};

/**
 * Reads CSV (RFC 4180, also with `;` or tabs) with a header and a line for each flight. Lines of one order follow each
 * other, in the order of travel. Quoted values do not span lines. An unreadable line, or one without an order, refuses
 * the orders before and after it: it may belong to either, and an order that lacks a flight would look complete.
 * @param scattered from {@link findScatteredOrders}; refused for the same reason
 * @throws AppError `import.bad_header`
 */
export async function* readStatedCsv(
  header: NumberedLine,
  lines: AsyncIterable<NumberedLine>,
  scattered: ReadonlySet<string>,
): AsyncGenerator<ReadOrder> {
  let group: NumberedRow[] = [];
  /** An unreadable line next to the current order. */
  let unreadableLine: number | null = null;
  const finishGroup = function* (): Generator<ReadOrder> {
    const [first] = group;
    if (first === undefined) return;
    const { OrderID: orderId } = first.row;
    if (unreadableLine !== null)
      yield refused(first.line, orderId, [`line ${unreadableLine} may belong to it and cannot be read`]);
    else if (scattered.has(orderId)) yield refused(first.line, orderId, [scatteredProblem]);
    else yield orderOf(group);
    group = [];
    unreadableLine = null;
  };
  for await (const read of readRows(header, lines)) {
    if (!read.ok) {
      unreadableLine = read.line;
      yield* finishGroup();
      yield refused(read.line, null, [read.problem]);
      unreadableLine = read.line;
      continue;
    }
    if (read.row.OrderID !== group[0]?.row.OrderID) yield* finishGroup();
    group.push(read);
  }
  yield* finishGroup();
}

/**
 * Returns the orders that have lines in more than one place. Scans the whole file, because the reader meets the first
 * lines of an order before it can know of others.
 * @throws AppError `import.bad_header`
 */
export async function findScatteredOrders(
  header: NumberedLine,
  lines: AsyncIterable<NumberedLine>,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const scattered = new Set<string>();
  let last: string | null = null;
  for await (const read of readRows(header, lines)) {
    const orderId = read.ok ? read.row.OrderID : null;
    if (orderId !== null && orderId !== last) (seen.has(orderId) ? scattered : seen).add(orderId);
    last = orderId;
  }
  return scattered;
}

const scatteredProblem =
  "OrderID: other lines of this order stand elsewhere, so none of it is taken; sort the lines by OrderID, then by departure";

type NumberedRow = { readonly line: number; readonly row: Row };

async function* readRows(
  header: NumberedLine,
  lines: AsyncIterable<NumberedLine>,
): AsyncGenerator<
  ({ readonly ok: true } & NumberedRow) | { readonly ok: false; readonly line: number; readonly problem: string }
> {
  const separator = [",", ";", "\t"].find((candidate) => header.text.includes(candidate)) ?? ",";
  const headerLine = splitLine(header.text, separator);
  const values = headerLine.ok ? headerLine.values : [];
  // Some programs write a separator at the end of each line.
  const names = values.slice(0, values.findLastIndex((name) => name.trim() !== "") + 1);
  const indexes = columnIndexesOf(names);
  for await (const { line, text } of lines) {
    if (text.trim() === "") continue;
    const split = splitLine(text, separator, names.length);
    if (!split.ok) {
      yield { ok: false, line, problem: split.problem };
      continue;
    }
    const row = Object.fromEntries(
      Object.entries(indexes).map(([column, index]) => [column, (split.values[index] ?? "").trim()]),
    ) as Row;
    if (row.OrderID === "") yield { ok: false, line, problem: "has no OrderID" };
    else yield { ok: true, line, row };
  }
}

function columnIndexesOf(header: readonly string[]): Readonly<Record<Column, number>> {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");
  const given = header.map(plain);
  const names = Object.keys(columns) as Column[];
  const unknownNames = header.filter((_, i) => given[i] !== "" && !names.some((column) => plain(column) === given[i]));
  const missing = names.filter((column) => columns[column].required && !given.includes(plain(column)));
  const repeated = names.filter((column) => given.filter((name) => name === plain(column)).length > 1);
  const problems = [
    missing.length > 0 ? `lacks ${missing.join(", ")}` : null,
    unknownNames.length > 0 ? `has the unknown ${unknownNames.map((name) => name.slice(0, 40)).join(", ")}` : null,
    given.includes("") ? "has a column without a name" : null,
    repeated.length > 0 ? `has ${repeated.join(", ")} twice` : null,
  ].filter((problem) => problem !== null);
  if (problems.length > 0) {
    throw new AppError(
      "import.bad_header",
      `The header of the CSV file ${problems.join(" and ")}. Columns: ${names.join(", ")}.`,
    );
  }
  return Object.fromEntries(names.map((column) => [column, given.indexOf(plain(column))])) as Record<Column, number>;
}

type SplitLine =
  | { readonly ok: true; readonly values: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** @param valuesMax values after so many must be empty */
function splitLine(text: string, separator: string, valuesMax = Number.POSITIVE_INFINITY): SplitLine {
  const values: string[] = [];
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      let value = "";
      for (at += 1; ; at += 1) {
        if (at >= text.length) return { ok: false, problem: "a quote is not closed" };
        if (text[at] !== '"') value += text[at];
        else if (text[at + 1] === '"') {
          value += '"';
          at += 1;
        } else break;
      }
      values.push(value);
      at += 1;
      if (at < text.length && text[at] !== separator)
        return { ok: false, problem: "a quoted value goes on after its quote" };
    } else {
      const next = text.indexOf(separator, at);
      const stop = next === -1 ? text.length : next;
      values.push(text.slice(at, stop));
      at = stop;
    }
    if (at >= text.length) break;
  }
  const hasMore = values.slice(valuesMax).some((value) => value.trim() !== "");
  return hasMore ? { ok: false, problem: "has more values than the header" } : { ok: true, values };
}

function orderOf(group: readonly NumberedRow[]): ReadOrder {
  const { line, row: first } = group[0]!;
  const references = group.flatMap(({ row }) => row.GdsBookingReference.split(/[\s/|]+/)).filter((text) => text !== "");
  const read = checkOrder(
    {
      orderId: first.OrderID,
      gdsBookingReferences: [...new Set(references)],
      segments: group.map(({ row }) => segmentOf(row)),
    },
    line,
  );
  return read.ok ? read : { ...read, problems: read.problems.map((problem) => atLine(problem, group)) };
}

/** Leaves out empty values, which count as not stated instead of wrong. */
function segmentOf(row: Row): object {
  const optional = {
    operatingCarrier: row.OperatingCarrier,
    cabinType: row.CabinType,
    rbd: row.RBD,
    aircraftCode: row.AircraftCode,
  };
  const point = (airport: string, date: string, time: string, terminal: string) => ({
    airport,
    date,
    time,
    ...(terminal === "" ? {} : { terminal }),
  });
  return {
    departure: point(row.Departure, row.DepartureDate, row.DepartureTime, row.DepartureTerminal),
    arrival: point(row.Arrival, row.ArrivalDate, row.ArrivalTime, row.ArrivalTerminal),
    marketingCarrier: row.MarketingCarrier,
    marketingFlightNumber: row.FlightNumber,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== "")),
    ...(row.Journey === "" ? {} : { journey: Number(row.Journey) }),
  };
}

/** `/segments/1/departure/date must …` → `line 7: DepartureDate must …`. */
function atLine(problem: string, group: readonly { readonly line: number }[]): string {
  const [, position, path = "", rest] = /^\/segments\/(\d+)\/?(\S*) (.*)$/s.exec(problem) ?? [];
  if (position === undefined || rest === undefined) return nameColumn(problem);
  const column = columnOfPath[path] ?? (path === "arrival" ? "ArrivalTime" : "the flight");
  return `line ${group[Number(position)]?.line}: ${column} ${rest}`;
}

function nameColumn(problem: string): string {
  return problem
    .replace(/^\/orderId/, "OrderID")
    .replace(/^\/gdsBookingReferences(\/\d+)?/, "GdsBookingReference")
    .replace(/^\/segments/, "the flights");
}
