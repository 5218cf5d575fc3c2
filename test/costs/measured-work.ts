import { caseChannel } from "../../src/store/cases/case-listener.ts";
import type { CountedStatement, CountingProxy, RoundTrip } from "./counting-proxy.ts";

/** What one piece of work costs the process that does it. */
export interface Cost {
  /** HTTP calls: to the gateway, or to the recipient of a delivery. */
  readonly calls: number;
  /** Transactions: those that end with `commit`, and statements alone, each of which is one by itself. */
  readonly commits: number;
  /** Every statement that the process sends, with `begin` and `commit`. */
  readonly statements: number;
  /** Waits for the database, added up over all connections. */
  readonly roundTrips: number;
  /** Statements without a name, parsed and planned again each time; `begin`, `commit` and `rollback` are not among them. */
  readonly unnamed: number;
  /** Statements with a message in the transactions of the work, which wait for the sync of each other. */
  readonly notifies: number;
  /**
   * Messages to the process about work, also its own. Each one that comes alone costs a look. Those about changed cases are not
   * counted: a process announces its changes together, as many as there are in 100 ms.
   */
  readonly messages: number;
  /** Statements of BullMQ, which stand in no other column. */
  readonly queueStatements: number;
}

/** The cost of a piece of work and what it is made of. */
export interface MeasuredWork {
  readonly cost: Cost;
  /** How often each statement was sent, in the order of the first time. */
  readonly statements: ReadonlyMap<string, number>;
  readonly calls: readonly string[];
}

/**
 * What has gone through the proxy since it forgot, together with the calls that were made meanwhile. The opening of the cases of
 * pending notifications, which many of them share, is a piece of work of its own.
 */
export function measureWork(
  database: CountingProxy,
  calls: readonly string[],
  part: "opening" | "rest" = "rest",
): MeasuredWork {
  const statementsOf = (trips: readonly RoundTrip[]) => trips.flatMap(({ statements }) => statements);
  const opening = findOpening(database.roundTrips());
  const own = database
    .roundTrips()
    .filter((trip) => !isQueue(trip.program) && opening.has(trip) === (part === "opening"));
  const isAnnouncement = ({ text, isAlone }: CountedStatement) => isAlone && text.startsWith("select pg_notify");
  const sent = statementsOf(own).filter((statement) => !isAnnouncement(statement));
  const queued = statementsOf(database.roundTrips().filter(({ program }) => isQueue(program)));
  return {
    calls,
    statements: countTexts([
      ...statementsOf(own).map(describeStatement),
      ...queued.map((one) => `BullMQ: ${describeStatement(one)}`),
    ]),
    cost: {
      calls: calls.length,
      commits: sent.filter(({ command, isAlone }) => command === "COMMIT" || isAlone).length,
      statements: sent.length,
      roundTrips: own.filter(({ statements }) => !statements.every(isAnnouncement)).length,
      unnamed: sent.filter(({ isNamed, command }) => !isNamed && !transactionCommands.has(command)).length,
      notifies: sent.filter(({ text }) => text.includes("pg_notify")).length,
      messages: database.messages().filter(({ program, channel }) => !isQueue(program) && channel !== caseChannel)
        .length,
      queueStatements: queued.length,
    },
  };
}

/** The round trips of the transactions that look for pending notifications. */
function findOpening(trips: readonly RoundTrip[]): ReadonlySet<RoundTrip> {
  const opening = new Set<RoundTrip>();
  for (const connection of new Set(trips.map((trip) => trip.connection))) {
    let isOpening = false;
    for (const trip of trips.filter((one) => one.connection === connection)) {
      isOpening ||= trip.statements.some(({ text }) => text.includes("for update of g skip locked"));
      if (isOpening) opening.add(trip);
      if (trip.statements.some(({ command }) => command === "COMMIT")) isOpening = false;
    }
  }
  return opening;
}

/** What `more` costs beyond `less`. */
export function subtractWork(more: MeasuredWork, less: MeasuredWork): MeasuredWork {
  const cost = Object.fromEntries(
    columnsOf(more.cost).map((column) => [column, more.cost[column] - less.cost[column]]),
  ) as unknown as Cost;
  const statements = [...more.statements].map(
    ([text, times]) => [text, times - (less.statements.get(text) ?? 0)] as const,
  );
  return { cost, statements: new Map(statements.filter(([, times]) => times > 0)), calls: more.calls };
}

/** @throws Error that shows every column beside its ceiling, and all statements, when a column is above its ceiling. */
export function assertWithinCeiling(work: string, { cost, statements, calls }: MeasuredWork, ceiling: Cost): void {
  const above = columnsOf(cost).filter((column) => cost[column] > ceiling[column]);
  if (process.env["SHOW_COSTS"] === "1") process.stdout.write(`${work}: ${JSON.stringify(cost)}\n`);
  if (above.length === 0) return;
  const table = columnsOf(cost).map((column) => {
    const mark = above.includes(column) ? "  <- too many" : "";
    return `  ${column.padEnd(16)} ceiling ${pad(ceiling[column])}  measured ${pad(cost[column])}${mark}`;
  });
  const sent = [...statements].map(([text, times]) => `  ${pad(times)} x ${text}`);
  throw new Error(
    [
      `One ${work} costs more than its ceiling in test/costs/ceilings.ts:`,
      ...table,
      `Calls: ${calls.length === 0 ? "none" : calls.join(", ")}`,
      "Statements, in the order in which each was first sent:",
      ...sent,
      "Find the one that is new and do without it. A ceiling is not raised.",
    ].join("\n"),
  );
}

const transactionCommands: ReadonlySet<string> = new Set(["BEGIN", "COMMIT", "ROLLBACK"]);

/** The connections of BullMQ on PostgreSQL say so in their name. */
function isQueue(program: string): boolean {
  return program.endsWith(" queue");
}

function describeStatement({ command, isNamed, text }: CountedStatement): string {
  const shownCharacters = 160;
  const oneLine = text.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim();
  return `${command}${isNamed ? " (named)" : ""}: ${oneLine.slice(0, shownCharacters)}`;
}

function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function columnsOf(cost: Cost): readonly (keyof Cost)[] {
  return Object.keys(cost) as (keyof Cost)[];
}

function pad(value: number): string {
  return String(value).padStart(4);
}
