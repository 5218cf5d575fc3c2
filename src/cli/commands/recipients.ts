import type { Command } from "commander";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import type { DeliveryTypes } from "../../sender/delivery-types.ts";
import { type DeliverySide, gatewaySide } from "../delivery-side.ts";
import { addPageChoice, type PageOptions, printList } from "../list-page.ts";
import { readInput } from "../read-input.ts";
import type { ServerOptions } from "../server-options.ts";
import { hasRoom } from "../table.ts";
import { type Finish, printJson, printLine, printResponse, type Terminal } from "../terminal.ts";

export function addRecipientsCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const recipients = program.command("recipients").description("manage the recipients that a running gateway notifies");
  const side = gatewaySide(terminal);
  addRecipientCommands(recipients, { side, terminal, finish }).option("--agency <id>", "those of one agency");
}

/** Returns the command that lists. */
export function addRecipientCommands(
  recipients: Command,
  { side, terminal, finish }: { readonly side: DeliverySide; readonly terminal: Terminal; readonly finish: Finish },
): Command {
  const list = addPageChoice(side.addOptions(recipients.command("list")))
    .description("recipients, newest first")
    .action(async (options: PageOptions & { readonly agency?: string }) => {
      const { agency, limit = "200", cursor } = options;
      const query = { agencyId: agency, limit, cursor };
      const page = await side.open(options).call("GET /recipients", { query });
      // Ids and addresses are long, and must be whole to be of use.
      const isWide = hasRoom(terminal, 120);
      printList(page, options, terminal, {
        empty: "No recipients yet.",
        columns: {
          Recipient: ({ id }) => id,
          State: stateOf,
          Pending: isWide && (({ pendingDeliveries }) => pendingDeliveries),
          ...side.columns,
          Name: isWide && { flexible: ({ name }) => name },
          URL: { flexible: ({ url }) => url },
        },
      });
    });
  side
    .addOptions(recipients.command("add"))
    .description("add a recipient. Its JSON, with credentials, is read from standard input or a file")
    .argument("[file]", `as ${side.described} has it under Recipients; -: standard input`, "-")
    .action(async (file: string, options: ServerOptions) => {
      const input = readObject(await readInput(file, terminal), side);
      const added = await side.open(options).call("POST /recipients", { body: input });
      if (options.json === true) return printJson(terminal, added);
      const { id, signingSecret } = added;
      printLine(terminal.stdout, id);
      if (signingSecret === undefined) return;
      printLine(terminal.stderr, "Its signing secret, which is not shown again:");
      printLine(terminal.stdout, signingSecret);
    });
  side
    .addOptions(recipients.command("pause"))
    .description("pause the deliveries to a recipient")
    .argument("<id>")
    .option("--reason <text>", "the reason, shown to others")
    .action(async (id: string, options: ServerOptions & { readonly reason?: string }) => {
      const reason = options.reason === undefined ? {} : { reason: options.reason };
      const paused = await change(id, { state: "paused", ...reason }, options);
      printResponse(paused, options, terminal, `${id} is paused. Its deliveries wait.`);
    });
  side
    .addOptions(recipients.command("resume"))
    .description("resume the deliveries to a recipient, with those that waited")
    .argument("<id>")
    .action(async (id: string, options: ServerOptions) => {
      const resumed = await change(id, { state: "active" }, options);
      const pending = counted(resumed.pendingDeliveries, "delivery was", "deliveries were");
      printResponse(resumed, options, terminal, `${id} is active; ${pending} waiting.`);
    });
  side
    .addOptions(recipients.command("remove"))
    .description("remove a recipient. Its credentials are deleted and its pending deliveries become dead")
    .argument("<id>")
    .action(async (id: string, options: ServerOptions) => {
      await side.open(options).call("DELETE /recipients/{id}", { params: { id } });
      printResponse({ id, removed: true }, options, terminal, `${id} is removed.`);
    });
  side
    .addOptions(recipients.command("test"))
    .description(`send a recipient ${side.test}; 1 when it was not acknowledged`)
    .argument("<id>")
    .action(async (id: string, options: ServerOptions) => {
      const result = await side.open(options).call("POST /recipients/{id}/test", { params: { id } });
      if (result.errorCode !== null) finish(1);
      const { outcome, httpStatus, durationMs, errorCode, errorMessage } = result;
      const status = httpStatus === null ? "" : `, status ${httpStatus}`;
      const error = errorCode === null ? [] : [[errorCode, errorMessage ?? ""].join(" ").trim()];
      printResponse(result, options, terminal, `${outcome}${status}, after ${durationMs} ms`, ...error);
    });

  return list;

  function change(id: string, body: object, options: ServerOptions) {
    return side.open(options).call("PATCH /recipients/{id}", { params: { id }, body });
  }
}

/** @throws AppError `cli.bad_recipient`, without the text, which has credentials */
function readObject(bytes: Uint8Array, { described }: DeliverySide): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    value = null;
  }
  if (value !== null && typeof value === "object") return value;
  throw new AppError("cli.bad_recipient", `The recipient is no JSON object. ${described} has an example.`);
}

function stateOf({ state, failing, hold }: DeliveryTypes["GET /recipients/{id}"]["response"]): string {
  if (state !== "active") return state;
  if (hold !== null) return "on hold";
  return failing === null ? "active" : "failing";
}
