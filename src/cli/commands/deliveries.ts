import { type Command, Option } from "commander";
import { type AttemptView, type DeliveryView, deliveryStates, type Page, type ReplayView } from "../../sender/ports.ts";
import { type ControlOptions, createControlClient } from "../control-client.ts";
import { styleFor, toOneLine } from "../style.ts";
import { formatTable } from "../table.ts";
import { printLine, type Terminal } from "../terminal.ts";
import { withControl } from "./recipients.ts";

/** As JSON has it. */
type ShownDelivery = Pick<DeliveryView, "id" | "recipientId" | "orderId" | "state" | "attempts"> & {
  readonly createdAt: string;
};
type ShownAttempt = Omit<AttemptView, "startedAt"> & { readonly startedAt: string };

interface FilterOptions extends ControlOptions {
  readonly state?: string;
  readonly recipient?: string;
  readonly order?: string;
  readonly airline?: string;
  readonly since?: string;
  readonly until?: string;
}

/** `skedchange deliveries`: notifications on their way to recipients. */
export function addDeliveriesCommand(program: Command, terminal: Terminal): void {
  const deliveries = program.command("deliveries").description("notifications of a running gateway on their way");
  withFilter(withControl(deliveries.command("list"), terminal))
    .description("deliveries, newest first; --state dead is the dead-letter list")
    .addOption(new Option("--state <state>").choices(deliveryStates))
    .option("--json", "print what the gateway answers")
    .action(async (options: FilterOptions & { readonly json?: boolean }) => {
      const client = createControlClient(terminal, options);
      const page = await client.get<Page<ShownDelivery>>("/deliveries", { ...filterOf(options), limit: "200" });
      if (options.json === true) printLine(terminal.stdout, JSON.stringify(page));
      else printTable(["DELIVERY", "STATE", "TRIES", "ORDER", "RECIPIENT", "ANNOUNCED"], page.items.map(deliveryRow));
    });
  withControl(deliveries.command("attempts"), terminal)
    .description("each try of a delivery, newest first")
    .argument("<id>")
    .option("--json", "print what the gateway answers")
    .action(async (id: string, options: ControlOptions & { readonly json?: boolean }) => {
      const client = createControlClient(terminal, options);
      const page = await client.get<{ readonly items: readonly ShownAttempt[] }>(
        `/deliveries/${encodeURIComponent(id)}/attempts`,
      );
      if (options.json === true) printLine(terminal.stdout, JSON.stringify(page));
      else printTable(["TRY", "STARTED", "OUTCOME", "STATUS", "MS", "ERROR", ""], page.items.map(attemptRow));
    });
  withFilter(withControl(deliveries.command("replay"), terminal))
    .description("send a delivery again, or all that the options find")
    .argument("[id]", "one delivery")
    .addOption(
      new Option("--state <state>", "many: those of this state").choices(deliveryStates.filter((s) => s !== "pending")),
    )
    .option("--force", "also what a newer notification of its order makes pointless")
    .option("--preview", "count only")
    .action(async (id: string | undefined, options: FilterOptions & { force?: boolean; preview?: boolean }) => {
      if (id === undefined) await replayMany(options);
      else await replayOne(id, options);
    });

  async function replayOne(id: string, options: ControlOptions): Promise<void> {
    const path = `/deliveries/${encodeURIComponent(id)}/replay`;
    const { delivery, newerNotifications } = await createControlClient(terminal, options).post<{
      readonly delivery: ShownDelivery;
      readonly newerNotifications: number;
    }>(path, {});
    printLine(terminal.stdout, delivery.id);
    if (newerNotifications === 0) return;
    printLine(
      terminal.stderr,
      `Its order has ${newerNotifications} newer notifications: the recipient sees an old state last.`,
    );
  }

  async function replayMany(options: FilterOptions & { force?: boolean; preview?: boolean }): Promise<void> {
    const given = Object.entries({ state: "dead", ...filterOf(options) }).filter(([, value]) => value !== null);
    const state = options.state ?? "dead";
    const { force = false, preview = false } = options;
    const body = { ...Object.fromEntries(given), state, force, preview };
    const replay = await createControlClient(terminal, options).post<
      Pick<ReplayView, "total"> & { readonly id?: string; readonly afterNewer: number }
    >("/replays", body);
    printLine(terminal.stdout, replay.id ?? `${replay.total} deliveries`);
    if (replay.afterNewer === 0) return;
    const fate = force ? "are sent after it" : "are left out where the recipient wants the latest only";
    printLine(
      terminal.stderr,
      `${replay.afterNewer} of ${replay.total} have a newer notification of their order, and ${fate}.`,
    );
  }

  function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
    const columns = titles.map((title, index) => ({ title, flexible: index === titles.length - 1 }));
    const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
    const lines = formatTable(columns, rows, { width, titleStyle: styleFor(terminal).bold });
    for (const line of rows.length === 0 ? ["There is none."] : lines) printLine(terminal.stdout, line);
  }
}

function withFilter(command: Command): Command {
  return command
    .option("--recipient <id>", "to one recipient")
    .option("--order <id>", "of one order")
    .option("--airline <code>", "of one airline")
    .option("--since <time>", "announced then or later, such as 2026-11-21T10:00:00Z")
    .option("--until <time>", "announced before that");
}

function filterOf(options: FilterOptions): Readonly<Record<string, string | null>> {
  const { state, recipient, order, airline, since, until } = options;
  return {
    state: state ?? null,
    recipientId: recipient ?? null,
    orderId: order ?? null,
    airline: airline ?? null,
    since: since ?? null,
    until: until ?? null,
  };
}

function deliveryRow(delivery: ShownDelivery): readonly string[] {
  const { id, state, attempts, orderId, recipientId, createdAt } = delivery;
  return [id, state, String(attempts), toOneLine(orderId), recipientId, createdAt];
}

function attemptRow(attempt: ShownAttempt): readonly string[] {
  const { number, startedAt, outcome, httpStatus, durationMs, errorCode, errorMessage } = attempt;
  return [
    String(number),
    startedAt,
    outcome ?? "no outcome",
    String(httpStatus ?? ""),
    String(durationMs ?? ""),
    errorCode ?? "",
    toOneLine(errorMessage ?? ""),
  ];
}
