import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { CausedChange } from "../../gateway/caused-change.ts";
import type { ChangeRequest } from "../../gateway/change-request.ts";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import { type ControlClient, createControlClient } from "../control-client.ts";
import { addGatewayOptions, type ServerOptions } from "../server-options.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";

interface TriggerOptions extends ServerOptions {
  readonly minutes?: number;
  readonly flight?: number;
  readonly set: Readonly<Record<string, unknown>>;
}

/** What an airline does, as `POST /control/orders/{orderId}/changes` names it, and what must be given with it. */
const changes: Readonly<Record<Exclude<ChangeRequest["kind"], "combined">, string>> = {
  retime: "--minutes 20, or -20 for earlier",
  duration: "--set durationMinutes=130",
  cancel: "all flights, or one with --flight",
  restore: "back to the booked flights",
  replace:
    '--set with=\'[{"from": "LIS", "to": "FRA", "departure": "2027-03-14T10:00", "arrival": "2027-03-14T14:10"}]\'',
  renumber: "--set flightNumber=1169",
  carrier: "--set operatingCarrier=EN",
  airport: "--set to=HHN",
  terminal: "--set fromTerminal=2",
  aircraft: "--set aircraft=32N",
  stops: "--set stops=1",
  fare: "--set cabin=Economy",
  downgrade: "the next lower cabin",
};

/** Has the airline change an order of a running gateway. */
export function addTriggerCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("trigger")
    .description("have the airline change an order at a running gateway, which notifies its recipients")
    .addArgument(new Argument("<change>").choices(Object.keys(changes)))
    .argument("[order]", "its OrderID (default: an order that is made for it)")
    .addOption(
      new Option(
        "--minutes <n>",
        "minutes that a retime adds to the times last accepted; negative for earlier (default: 20)",
      ).argParser(readMinutes),
    )
    .addOption(new Option("--flight <n>", "which flight, by its position from 1").argParser(readPosition))
    .addOption(
      new Option("--set <name=value>", "what else the change says; can be repeated")
        .argParser(addMember)
        .default({}, "none"),
    );
  addGatewayOptions(command, terminal)
    .addHelpText("after", () =>
      [
        "",
        "What each change takes:",
        ...Object.entries(changes).map(([kind, takes]) => `  ${kind.padEnd(10)} ${takes}`),
      ].join("\n"),
    )
    .action((change: string, order: string | undefined, options: TriggerOptions) =>
      trigger(change, order, options, terminal),
    );
}

async function trigger(
  kind: string,
  given: string | undefined,
  options: TriggerOptions,
  terminal: Terminal,
): Promise<void> {
  const control = createControlClient(terminal, options);
  const orderId = given ?? (await makeOrder(control));
  const body = {
    kind,
    ...(kind === "retime" ? { departureMinutes: options.minutes ?? 20 } : {}),
    ...(options.flight === undefined ? {} : { flightIndex: options.flight - 1 }),
    ...options.set,
  } as ChangeRequest;
  const caused = await changeOrder(control, orderId, body);
  if (options.json === true) return printJson(terminal, caused);
  printLine(terminal.stdout, describe(caused, given === undefined));
}

/** What is wrong with a change is said with what it takes. */
async function changeOrder(control: ControlClient, orderId: string, body: ChangeRequest): Promise<CausedChange> {
  try {
    return (await control.call("POST /orders/{orderId}/changes", { params: { orderId }, body })) as CausedChange;
  } catch (error) {
    const takes = new Map(Object.entries(changes)).get(body.kind);
    if (codeOf(error) !== "gateway.invalid_request" || takes === undefined) throw error;
    const text = `${messageOf(error)}.\nWhat ${body.kind} takes: ${takes}`;
    throw new AppError("gateway.invalid_request", text, { cause: error });
  }
}

async function makeOrder(control: ControlClient): Promise<string> {
  const { orderId } = (await control.call("POST /orders", { body: {} })) as unknown as { readonly orderId: string };
  return orderId;
}

function describe({ orderId, kind, deliveries, state }: CausedChange, isNew: boolean): string {
  const what = `${isNew ? "Made the order" : "Order"} ${orderId}${isNew ? " and changed it" : ""}: ${kind}.`;
  if (state === "no-recipient") {
    return `${what} There is no recipient. Add one: npx skedchange recipients add --help, or npx skedchange listen`;
  }
  const recipients = counted(deliveries, "recipient gets", "recipients get");
  return `${what} ${recipients} a notification. See it arrive: npx skedchange deliveries list --order ${orderId}`;
}

function readMinutes(text: string): number {
  if (!/^-?\d{1,5}$/.test(text)) throw new InvalidArgumentError("Give whole minutes, such as 20 or -20.");
  return Number(text);
}

function readPosition(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError("Give the position of the flight, from 1.");
  return Number(text);
}

/** A value that is no JSON is a text. */
function addMember(text: string, before: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === "") throw new InvalidArgumentError("Give a name and a value, such as aircraft=32N.");
  return { ...before, [name]: readValue(value) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
