import { type ObservedStatement, observedIn } from "../../cases/observed-members.ts";
import { isNothingOpen } from "../../cases/open-change.ts";
import { observedStatementsMax } from "../../contract/imported-order.ts";
import { parseStatements } from "../../contract/json.ts";
import { readOrderView } from "../../contract/read-order-view.ts";
import { statedSegmentsOf } from "../../itinerary/imported-order.ts";
import { shippedMarks } from "../../itinerary/member-marks.ts";
import { readProposal } from "../../itinerary/proposal.ts";
import { AppError } from "../../kernel/app-error.ts";
import { checkOrder, type ReadOrder, refused } from "./check-order.ts";
import { findScatteredOrders, readStatedCsv } from "./csv.ts";
import { type NumberedLine, readLines } from "./lines.ts";

/** A JSON document is held in memory as a whole. */
const documentBytesMax = 64 * 1024 * 1024;

/**
 * Yields the orders of a file: CSV with a line for each flight, JSON with an order on each line, or one JSON document:
 * an order, a list of orders, or an order view as AirReservationStatus and AirDocRetreive return it. The first
 * character tells CSV from JSON, and a complete first line tells JSON lines from a document. A bad order does not stop
 * the others.
 * @param open starts reading from the beginning; called twice for CSV
 * @throws AppError `import.empty`, `import.not_utf8`, `import.line_too_long`, `import.document_too_long`,
 * `import.bad_header`
 */
export async function* readOrdersFile(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<ReadOrder> {
  const { first, lines } = await begin(open);
  if (!/^\s*[[{]/.test(first.text)) {
    const scattered = await findScatteredOrders(first, lines);
    const again = await begin(open);
    yield* readStatedCsv(again.first, again.lines, scattered);
    return;
  }
  const parsed = parseText(first.text);
  if (parsed.ok) {
    yield* readValue(parsed.value, first.line);
    for await (const { line, text } of lines) {
      if (text.trim() === "") continue;
      const value = parseText(text);
      if (value.ok) yield* readValue(value.value, line);
      else yield refused(line, null, ["is not JSON"]);
    }
    return;
  }
  const parts = [first.text];
  let bytes = first.text.length;
  for await (const { text } of lines) {
    bytes += text.length + 1;
    if (bytes > documentBytesMax) {
      throw new AppError("import.document_too_long", "A JSON document may have 64 MiB. Give one order a line instead.");
    }
    parts.push(text);
  }
  const whole = parseText(parts.join("\n"));
  if (whole.ok) yield* readValue(whole.value, first.line);
  else yield refused(first.line, null, ["is neither JSON nor one JSON document a line"]);
}

/** Skips empty lines at the start. */
async function begin(
  open: () => AsyncIterable<Uint8Array>,
): Promise<{ readonly first: NumberedLine; readonly lines: AsyncGenerator<NumberedLine> }> {
  const lines = readLines(open());
  for (;;) {
    const next = await lines.next();
    if (next.done === true) throw new AppError("import.empty", "The file is empty.");
    if (next.value.text.trim() !== "") return { first: next.value, lines };
  }
}

function parseText(text: string) {
  return parseStatements(Buffer.from(text));
}

function* readValue(value: unknown, line: number): Generator<ReadOrder> {
  if (Array.isArray(value)) {
    for (const one of value) yield* readValue(one, line);
    return;
  }
  const isStated = value !== null && typeof value === "object" && "segments" in value;
  if (isStated) yield checkOrder(value, line);
  else yield* readView(value, line);
}

function* readView(value: unknown, line: number): Generator<ReadOrder> {
  const reading = readOrderView(value);
  if (!reading.ok) {
    yield refused(line, null, [
      `is neither a stated order (orderId, segments) nor an order view: ${reading.problem.message}`,
    ]);
    return;
  }
  const statements = withinRequest(observedIn(reading.view.unread, shippedMarks));
  for (const orderId of new Set(reading.view.orders.map((order) => order.orderId))) {
    const proposal = readProposal(reading.view, orderId);
    if (proposal === null) continue;
    yield checkOrder(
      {
        orderId,
        gdsBookingReferences: proposal.gdsBookingReferences,
        segments: statedSegmentsOf(proposal.current),
        observed: { statements, isUnchanged: isNothingOpen(proposal) },
      },
      line,
    );
  }
}

/** The flights of an order need the rest of what one request may have. */
const observedBytesMax = 24 * 1024;

function withinRequest(statements: readonly ObservedStatement[]): readonly ObservedStatement[] {
  let bytes = 0;
  return statements.slice(0, observedStatementsMax).filter((statement) => {
    bytes += Buffer.byteLength(JSON.stringify(statement)) + 1;
    return bytes <= observedBytesMax;
  });
}
