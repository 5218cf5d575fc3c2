import { type Command, Option } from "commander";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import { deliveryStates } from "../../sender/ports.ts";
import { type DeliverySide, gatewaySide } from "../delivery-side.ts";
import { addPageChoice, type PageOptions, printList } from "../list-page.ts";
import { readEarlier } from "../read-instant.ts";
import type { ServerOptions } from "../server-options.ts";
import { hasRoom } from "../table.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";

interface FilterOptions extends ServerOptions {
  readonly state?: string;
  readonly recipient?: string;
  readonly order?: string;
  readonly since?: Date;
  readonly until?: Date;
  /** The filters of a side. */
  readonly [option: string]: unknown;
}

interface ResendOptions extends FilterOptions {
  readonly all?: boolean;
  readonly force?: boolean;
  readonly preview?: boolean;
}

/** What is sent again if no state is given. */
const resentState = "dead";

/** What a list without deliveries, or without attempts, says. */
const empty = "There is none.";

export function addDeliveriesCommand(program: Command, terminal: Terminal): void {
  const deliveries = program.command("deliveries").description("deliveries of notifications by a running gateway");
  addDeliveryCommands(deliveries, { side: gatewaySide(terminal), terminal }).option(
    "--force",
    "also those that a newer notification of their order has replaced",
  );
}

/** Returns the command that resends. */
export function addDeliveryCommands(
  deliveries: Command,
  { side, terminal }: { readonly side: DeliverySide; readonly terminal: Terminal },
): Command {
  addPageChoice(withFilter(side.addOptions(deliveries.command("list")), side))
    .description("deliveries, newest first; --state dead is the dead-letter list")
    .addOption(new Option("--state <state>").choices(deliveryStates))
    .action(async (options: FilterOptions & PageOptions) => {
      const { limit = "200", cursor } = options;
      const query = { ...filterOf(options, side), limit, cursor };
      const page = await side.open(options).call("GET /deliveries", { query });
      const isScreen = terminal.stdout.isTTY === true;
      printList(page, options, terminal, {
        empty,
        columns: {
          Delivery: (delivery) => delivery.id,
          State: (delivery) => delivery.state,
          Attempts: (delivery) => delivery.attempts,
          Order: (delivery) => delivery.orderId,
          Recipient: hasRoom(terminal, 120) && ((delivery) => delivery.recipientId),
          Announced: { flexible: ({ createdAt }) => (isScreen ? ago(new Date(createdAt), new Date()) : createdAt) },
        },
      });
    });
  side
    .addOptions(deliveries.command("attempts"))
    .description("list the attempts of a delivery, newest first")
    .argument("<id>")
    .action(async (id: string, options: ServerOptions) => {
      const client = side.open(options);
      const page = await client.call("GET /deliveries/{id}/attempts", { params: { id } });
      printList(page, options, terminal, {
        empty,
        columns: {
          Attempt: (attempt) => attempt.number,
          Started: (attempt) => attempt.startedAt,
          Outcome: (attempt) => attempt.outcome ?? "no outcome",
          Status: (attempt) => attempt.httpStatus,
          ms: (attempt) => attempt.durationMs,
          Error: (attempt) => attempt.errorCode,
          Message: { flexible: (attempt) => attempt.errorMessage },
        },
      });
    });
  const again = withFilter(side.addOptions(deliveries.command("resend").alias("replay")), side)
    .description("send one delivery again, or all that match the options")
    .argument("[id]", "one delivery")
    .addOption(
      new Option("--state <state>", `many: those in this state (default: ${resentState})`).choices(
        deliveryStates.filter((state) => state !== "pending"),
      ),
    )
    .option("--all", "many, without another filter")
    .option("--preview", "count only")
    .action(async (id: string | undefined, options: ResendOptions) => {
      const isFiltered = Object.values(filterOf(options, side)).some((value) => value !== null);
      if ((id === undefined) !== (isFiltered || options.all === true)) {
        throw new AppError(
          "cli.resend_choice",
          "Name one delivery, or choose many by --state, --recipient, --order or --since, or give --all.",
        );
      }
      if (id === undefined) await resendMany(options);
      else await resendOne(id, options);
    });

  return again;

  async function resendOne(id: string, options: ServerOptions): Promise<void> {
    const resent = await side.open(options).call("POST /deliveries/{id}/replay", { params: { id } });
    if (options.json === true) return printJson(terminal, resent);
    const { delivery, newerNotifications } = resent;
    printLine(terminal.stdout, `The delivery ${delivery.id} is sent again.`);
    if (newerNotifications === 0) return;
    printLine(
      terminal.stderr,
      `Its order has ${newerNotifications} newer ${side.what}: the recipient receives an older state last.`,
    );
  }

  async function resendMany(options: ResendOptions): Promise<void> {
    const given = Object.entries(filterOf(options, side)).filter(([, value]) => value !== null);
    const state = options.state ?? resentState;
    const { force = false, preview = false } = options;
    const body = { ...Object.fromEntries(given), state, preview, ...(force ? { force } : {}) };
    const resend = await side.open(options).call("POST /replays", { body });
    if (options.json === true) return printJson(terminal, resend);
    const sent = resend.total - resend.leftOut;
    const some = counted(sent, `${state} delivery`, `${state} deliveries`);
    printLine(terminal.stdout, preview ? `${some} would be sent again.` : `Sending ${some} again.`);
    if (resend.leftOut > 0) {
      const others = counted(resend.leftOut, "is", "are");
      printLine(terminal.stderr, `${others} left out: sent again before, or the recipient is removed.`);
    }
    // Events are sent even if newer ones follow.
    if (resend.afterNewer === 0 || side.what === "events") return;
    const attemptOutcome = force ? "are sent after it" : "are skipped for recipients that want the latest only";
    printLine(
      terminal.stderr,
      `${resend.afterNewer} of ${sent} have a newer notification of their order, and ${attemptOutcome}.`,
    );
  }
}

function withFilter(command: Command, { filters }: DeliverySide): Command {
  const common = command
    .option("--recipient <id>", "to one recipient")
    .option("--order <id>", "of one order, or the beginning of its id and *")
    .option("--since <time>", "created since then: 2h, or an instant", (text) => readEarlier(text))
    .option("--until <time>", "created before then", (text) => readEarlier(text));
  return Object.values(filters).reduce((rest, option) => rest.addOption(option), common);
}

function filterOf(options: FilterOptions, { filters }: DeliverySide): Readonly<Record<string, string | null>> {
  const { state, recipient, order, since, until } = options;
  const own = Object.entries(filters).map(([parameter, option]) => {
    const value = options[option.attributeName()];
    return [parameter, typeof value === "string" ? value : null] as const;
  });
  return {
    state: state ?? null,
    recipientId: recipient ?? null,
    orderId: order ?? null,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    ...Object.fromEntries(own),
  };
}

/** `12 min ago` */
function ago(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 60 / 24)} d ago`;
}
