import { mayBeAccepted } from "../cases/case-actions.ts";
import { describeSettlement, partsOf } from "../cases/outcome-words.ts";
import { describeStanding, flightColumns } from "../cases/standing.ts";
import { rulesOf } from "../cases/traced-rules.ts";
import { usedFacts } from "../cases/used-facts.ts";
import type { ApiTypes } from "../dashboard/api/routes.ts";
import { noConnectionMinutes } from "../itinerary/connection-facts.ts";
import { detailsOf } from "../itinerary/flight-details.ts";
import { spanOf } from "../itinerary/span.ts";
import { counted } from "../kernel/counted.ts";
import type { Fact } from "../kernel/fact.ts";
import { decisiveChecks, describeCheck, type ReadWords } from "../policy/check-words.ts";
import { describeCoverage } from "../policy/legal/coverage-words.ts";
import { formatMoney } from "../travel/money.ts";
import { formatLegal } from "./legal-lines.ts";
import { type Style, widthOf } from "./style.ts";
import { formatTable } from "./table.ts";

type CaseDetail = ApiTypes["GET /cases/{id}"]["response"];
type ShownFact = Fact<unknown>;
type Difference = NonNullable<CaseDetail["difference"]>;
type MarkedFlight = Difference["journeys"][number]["flights"][number]["before"][number];
type Segment = MarkedFlight["flight"];

export interface CasePageOptions {
  readonly style: Style;
  /** Columns of the terminal; null if the output is none. */
  readonly width: number | null;
  /** Every fact, rule, decision, notification and event; without it, what a person needs to decide. */
  readonly all: boolean;
}

export function formatCasePage(found: CaseDetail, options: CasePageOptions): string[] {
  const { style, all } = options;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines];
  return [
    ...formatHead(found, style),
    ...section("Flights", formatFlights(found, { ...options, columns: flightColumns(found) })),
    ...section("Decision", formatDecision(found, options)),
    ...section("Facts", formatFacts(found, options)),
    ...section("Passenger rights", formatLaw(found, options)),
    ...section(
      "Gateway calls",
      found.effects.flatMap((effect) => formatEffect(effect, style)),
    ),
    ...(all
      ? [
          ...section("Rules tried", formatTrace(found, options)),
          ...section("Earlier decisions", formatEarlierDecisions(found, options)),
          ...section("Notifications", formatNotifications(found, options)),
          ...section("Timeline", formatTimeline(found, options)),
        ]
      : ["", style.dim("Every fact, rule and event: --all")]),
  ];
}

export function paintState(state: string, style: Style): string {
  switch (state) {
    case "done":
    case "resolved-elsewhere":
      return style.good(state);
    case "awaiting-agent":
    case "ask-traveller":
    case "awaiting-traveller":
    case "snoozed":
      return style.warn(state);
    case "closed":
      return style.dim(state);
    default:
      return state;
  }
}

// ------------------------------------------------------------------------------------------------------- head

function formatHead(found: CaseDetail, style: Style): string[] {
  const queue = found.reviewQueue === null ? "" : ` in queue ${found.reviewQueue}`;
  const flags = found.flags;
  return [
    `${style.bold(`Order ${found.orderId}`)}  ${found.gdsBookingReferences.join(", ")}  ${paintState(found.state, style)}${queue}`,
    ...(found.headline === null ? [] : [found.headline]),
    ...formatStanding(found),
    style.dim(
      [
        `case ${found.id}`,
        `source ${found.source}`,
        `version ${found.version}`,
        `priority ${found.priority}`,
        `opened ${formatInstant(found.openedAt)}`,
        ...(found.departureAt === null ? [] : [`departs ${formatInstant(found.departureAt)}`]),
        ...(found.dueAt === null ? [] : [`next check ${formatInstant(found.dueAt)}`]),
        ...(found.closedAt === null ? [] : [`ended ${formatInstant(found.closedAt)}`]),
        ...(found.assignee === null ? [] : [`assigned to ${found.assignee}`]),
      ].join(" · "),
    ),
    ...formatClocks(found, style),
    ...(flags === null
      ? []
      : [
          `The airline allows: ${[
            `accept ${formatFlag(flags.accept)}`,
            `cancel ${formatFlag(flags.cancel)}`,
            `reschedule ${formatFlag(flags.reSchedule)}`,
          ].join(", ")}`,
        ]),
    ...(found.lastError === null
      ? []
      : [style.bad(`Last attempt failed (${found.failures} in a row): ${found.lastError.message}`)]),
  ];
}

/** As on the page of the case. */
function formatStanding(found: CaseDetail): string[] {
  const standing = describeStanding(found, new Date(), formatInstant);
  return standing === null ? [] : [standing];
}

function formatClocks({ dueBy, undoUntil, approval, tasks }: CaseDetail, style: Style): string[] {
  const left = tasks.filter(({ closedAt }) => closedAt === null);
  return [
    ...(dueBy === null
      ? []
      : [(dueBy.overdue ? style.bad : style.warn)(`Decide by ${formatInstant(dueBy.at)} (${dueBy.rule})`)]),
    ...(undoUntil === null
      ? []
      : [style.warn(`Nothing is sent before ${formatInstant(undoUntil)}. To stop it: --stop`)]),
    ...(approval === null
      ? []
      : [
          style.warn(
            `${approval.askedBy} asked to ${approval.action}. Another person decides: --approve or --refuse-approval`,
          ),
        ]),
    ...left.map(({ kind, reasons }) => style.warn(`Task: ${kind}. ${reasons[0]?.text ?? ""}`)),
  ];
}

function formatFlag(flag: ShownFact): string {
  return flag.known ? String(flag.value) : `unknown (${flag.reason})`;
}

// ---------------------------------------------------------------------------------------------------- flights

/** Shows the flights side by side as the page does: what became of each, and what differs. */
export function formatFlights(
  found: Pick<CaseDetail, "difference"> & { readonly itineraries: Pick<CaseDetail["itineraries"], "booked"> },
  {
    style,
    width,
    columns = ["Booked", "Proposed"],
  }: Pick<CasePageOptions, "style" | "width"> & { readonly columns?: readonly [string, string] },
): string[] {
  const rows =
    found.difference === null
      ? (found.itineraries.booked?.segments ?? []).map((flight) => [describeSegment({ flight, changed: [] }), ""])
      : found.difference.journeys.flatMap(({ flights }) => flights.flatMap((pair) => formatPair(pair, style)));
  return rows.length === 0
    ? []
    : formatTable(
        columns.map((title) => ({ title })),
        rows,
        { width, titleStyle: style.dim, indent: "  " },
      );
}

function formatPair(
  { action, before, after }: Difference["journeys"][number]["flights"][number],
  style: Style,
): readonly string[][] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const booked = textOf(before[index]);
    const proposed = textOf(after[index]);
    if (action === "removed") return [booked, style.warn("withdrawn")];
    // What is stated for the first time is no change, and is shown.
    if (action === "unchanged") return [booked, style.dim(booked === proposed ? "unchanged" : proposed)];
    return [booked, proposed === "" ? "" : style.warn(proposed)];
  });
}

function textOf(flight: MarkedFlight | undefined): string {
  return flight === undefined ? "" : describeSegment(flight);
}

/** `LH 400  2026-12-01 10:00 FRA T1 → 13:05 JFK, aircraft 77W`; with the arrival date and details that differ. */
function describeSegment({ flight: segment, changed }: MarkedFlight): string {
  const { departure, arrival } = segment;
  const flight = `${segment.marketingCarrier ?? "??"} ${segment.marketingFlightNumber ?? "?"}`;
  const arrivalDate = arrival.date === departure.date ? "" : `${arrival.date ?? "?"} `;
  const details = detailsOf(segment, changed)
    .filter(({ isDifferent }) => isDifferent)
    .map(({ label, value }) => `, ${label} ${value}`.replace(",  ", ", "));
  const place = (point: Segment["departure"]): string =>
    `${point.airport ?? "???"}${point.terminal === null || point.terminal === "" ? "" : ` T${point.terminal}`}`;
  return `${flight}  ${departure.date ?? "?"} ${departure.time ?? "?"} ${place(departure)} → ${arrivalDate}${arrival.time ?? "?"} ${place(arrival)}${details.join("")}`;
}

// ------------------------------------------------------------------------------------------------------ facts

function formatFacts(found: CaseDetail, { style, width, all }: CasePageOptions): string[] {
  const facts = Object.entries(found.facts ?? {});
  const used = usedFacts(found);
  const shown = all ? facts : facts.filter(([name, fact]) => used.has(name) && isWorthShowing(fact));
  return shown.length === 0
    ? []
    : formatTable(
        [{ title: "Fact" }, { title: "Value", flexible: true }],
        shown.map(([name, fact]) => [name, formatFact(fact, style)]),
        { width, titleStyle: style.dim, indent: "  " },
      );
}

/** Left out is what only says that nothing of its kind happened. */
function isWorthShowing(fact: ShownFact): boolean {
  if (!fact.known) return true;
  const { value } = fact;
  return !(
    value === false ||
    value === 0 ||
    value === null ||
    value === noConnectionMinutes ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** `yes`, `45`, `FRA, JFK`, `unknown (removed-or-unknown)` */
export function formatFact(fact: ShownFact, style: Style): string {
  if (!fact.known) return style.warn(`unknown (${fact.reason})`);
  const { value } = fact;
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value === noConnectionMinutes) return "no connection";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

// -------------------------------------------------------------------------------------------------- decisions

function formatDecision({ decision, decisions }: CaseDetail, { style, width }: CasePageOptions): string[] {
  if (decision === null) return ["  None yet."];
  const inForce = decisions.find(({ id }) => id === decision.id);
  const note = inForce?.note ?? null;
  return [
    `  ${style.bold(decision.action)} by ${decision.decidedBy}, rule ${decision.rule}, ${formatInstant(decision.decidedAt)}`,
    ...(decision.settled === null
      ? []
      : wrap(describeSettlement(decision.settled, formatInstant(decision.settled.at)), width, "  ", "  ")),
    ...decision.reasons.flatMap(({ text }) =>
      wrap(text, width, decision.settled === null ? "  - " : "  - It was asked: ", "    "),
    ),
    ...(note === null ? [] : wrap(`Note: ${note}`, width, "  ", "  ")),
  ];
}

function formatLaw(found: CaseDetail, options: CasePageOptions): string[] {
  const { decision, decisions, facts } = found;
  const legal = decisions.find(({ id }) => id === decision?.id)?.legal ?? null;
  if (legal === null) return decision === null ? [] : describeCoverage(null, null).map((sentence) => `  ${sentence}`);
  return formatLegal(legal, facts, { ...options, mayBeAccepted: mayBeAccepted(found) });
}

function formatTrace({ decision, decisions }: CaseDetail, options: CasePageOptions): string[] {
  return formatRules(decisions.find(({ id }) => id === decision?.id)?.trace, options);
}

export function formatRules(trace: unknown, { style, width }: Pick<CasePageOptions, "style" | "width">): string[] {
  const rules = rulesOf(trace);
  if (rules.length === 0) return [];
  return formatTable(
    [{ title: "Rule" }, { title: "Would" }, { title: "Outcome" }, { title: "Decided on", flexible: true }],
    rules.map(({ rule, action, outcome, checks, reads }) => {
      const decisive = decisiveChecks(checks, reads, outcome);
      return [
        rule,
        action,
        outcome === "matched" ? style.good(outcome) : outcome === "unknown" ? style.warn(outcome) : outcome,
        decisive.map((check) => describeCheck({ ...check, reads }, factNames)).join(", "),
      ];
    }),
    { width, titleStyle: style.dim, indent: "  " },
  );
}

/** The names that rules use, with minutes as time. */
const factNames: ReadWords = {
  label: (name) => name,
  value: (name, value) => {
    if (typeof value === "boolean") return value ? "yes" : "no";
    const isTime = typeof value === "number" && /minutes/i.test(name) && value >= 0 && value !== noConnectionMinutes;
    if (isTime) return spanOf(value);
    return Array.isArray(value) ? value.join(" ") || "none" : String(value);
  },
};

function formatEarlierDecisions({ decision, decisions }: CaseDetail, { style, width }: CasePageOptions): string[] {
  const earlier = decisions.filter(({ id }) => id !== decision?.id);
  if (earlier.length === 0) return [];
  return formatTable(
    [{ title: "At" }, { title: "Action" }, { title: "By" }, { title: "Rule" }, { title: "Reason", flexible: true }],
    earlier.map((past) => [
      formatInstant(past.decidedAt),
      past.action,
      past.decidedBy,
      past.rule,
      past.reasons[0]?.text ?? "",
    ]),
    { width, titleStyle: style.dim, indent: "  " },
  );
}

// ---------------------------------------------------------------------------------------------- what was done

function formatEffect(effect: CaseDetail["effects"][number], style: Style): string[] {
  const ended = effect.finishedAt ?? effect.sentAt ?? effect.plannedAt;
  return [
    `  ${effect.action} for ${effect.gdsBookingReferences.join(", ")}: ${paintEffect(effect, style)}, ${formatInstant(ended)}`,
    ...(effect.settled === null ? [] : [`    ${describeSettlement(effect.settled, formatInstant(effect.settled.at))}`]),
    ...(effect.settleReads === 0
      ? []
      : [`    booking checked ${counted(effect.settleReads, "time")} to find the outcome`]),
    ...(effect.error === null ? [] : [`    ${effect.error.message}`]),
    ...(effect.results ?? []).map((result) => `    ${describeResult(result)}`),
  ];
}

function paintEffect({ state, results, settled }: CaseDetail["effects"][number], style: Style): string {
  if (settled !== null) return style.warn(settled.carriedOut ? "marked as carried out" : "marked as not carried out");
  if (partsOf(results) !== null) return style.warn("carried out in part");
  return state === "succeeded" ? style.good(state) : state === "failed" ? style.bad(state) : style.warn(state);
}

/** `ABC123: SUCCESS, refund 120.50 (currency not stated), text of the gateway`: the gateway states no currency. */
function describeResult(result: unknown): string {
  if (result === null || typeof result !== "object") return String(result);
  const { gdsBookingReferences, status, errorMessage, refundAmount, refundText } = result as Record<string, unknown>;
  const references = Array.isArray(gdsBookingReferences) ? gdsBookingReferences.join(", ") : "?";
  const parts = [
    String(status ?? "?"),
    ...(typeof refundAmount === "string" && refundAmount !== "" ? [`refund ${formatMoney(refundAmount, null)}`] : []),
    ...[refundText, errorMessage].filter((text): text is string => typeof text === "string" && text !== ""),
  ];
  return `${references}: ${parts.join(", ")}`;
}

function formatNotifications({ notifications }: CaseDetail, { style, width }: CasePageOptions): string[] {
  if (notifications.length === 0) return [];
  return formatTable(
    [{ title: "Received" }, { title: "Times" }, { title: "State" }, { title: "Id" }],
    notifications.map(({ receivedAt, receipts, state, id }) => [
      formatInstant(receivedAt),
      String(receipts),
      state,
      id,
    ]),
    { width, titleStyle: style.dim, indent: "  " },
  );
}

function formatTimeline({ timeline }: CaseDetail, { style, width }: CasePageOptions): string[] {
  if (timeline.length === 0) return [];
  return formatTable(
    [{ title: "At" }, { title: "What" }, { title: "Who" }, { title: "", flexible: true }],
    timeline.map(({ at, kind, actor, detail }) => [formatInstant(at), kind, actor, describeDetail(detail)]),
    { width, titleStyle: style.dim, indent: "  " },
  );
}

/** Leaves out nested members, which the API shows. */
function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

/** `2026-11-21 09:12:03Z` */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 19).replace("T", " ")}Z`;
}

function wrap(text: string, width: number | null, first: string, next: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && width !== null && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
