import type { Command } from "commander";
import { AppError } from "../../kernel/app-error.ts";
import type { Page, RecipientView, TestResult } from "../../sender/ports.ts";
import { type ControlOptions, createControlClient } from "../control-client.ts";
import { defaultGatewayUrl } from "../own-settings.ts";
import { readInput } from "../read-input.ts";
import { styleFor, toOneLine } from "../style.ts";
import { formatTable } from "../table.ts";
import { type Finish, printLine, type Terminal } from "../terminal.ts";

/** As JSON has it. */
type ShownRecipient = Pick<RecipientView, "id" | "name" | "url" | "state" | "agencyId" | "pendingDeliveries"> & {
  readonly failing: object | null;
  readonly hold: object | null;
};

/** `skedchange recipients`: who is told of changes. */
export function addRecipientsCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const recipients = program.command("recipients").description("who a running gateway tells of changes");
  withControl(recipients.command("list"), terminal)
    .description("recipients, newest first")
    .option("--agency <id>", "those of one agency")
    .option("--json", "print what the gateway answers")
    .action(async (options: ControlOptions & { readonly agency?: string; readonly json?: boolean }) => {
      const query = { agencyId: options.agency ?? null, limit: "200" };
      const page = await createControlClient(terminal, options).get<Page<ShownRecipient>>("/recipients", query);
      if (options.json === true) printLine(terminal.stdout, JSON.stringify(page));
      else for (const line of listLines(page, terminal)) printLine(terminal.stdout, line);
    });
  withControl(recipients.command("add"), terminal)
    .description("add a recipient; its JSON, with its credentials, comes from standard input or a file")
    .argument("[file]", "as docs/sender.md has it under Recipients; -: standard input", "-")
    .action(async (file: string, options: ControlOptions) => {
      const wanted = readObject(await readInput(file, terminal));
      const { id } = await createControlClient(terminal, options).post<ShownRecipient>("/recipients", wanted);
      printLine(terminal.stdout, id);
    });
  withControl(recipients.command("pause"), terminal)
    .description("hold back what is for a recipient")
    .argument("<id>")
    .option("--reason <text>", "why, for others to read")
    .action(async (id: string, options: ControlOptions & { readonly reason?: string }) => {
      const reason = options.reason === undefined ? {} : { reason: options.reason };
      await change(id, { state: "paused", ...reason }, options);
      printLine(terminal.stdout, `${id} is paused. What is for it waits.`);
    });
  withControl(recipients.command("resume"), terminal)
    .description("send a recipient what waits for it, and what comes")
    .argument("<id>")
    .action(async (id: string, options: ControlOptions) => {
      const { pendingDeliveries } = await change(id, { state: "active" }, options);
      printLine(terminal.stdout, `${id} is active; ${pendingDeliveries} deliveries were waiting.`);
    });
  withControl(recipients.command("remove"), terminal)
    .description("wipe a recipient's credentials; what is pending for it becomes dead")
    .argument("<id>")
    .action(async (id: string, options: ControlOptions) => {
      await createControlClient(terminal, options).remove(`/recipients/${encodeURIComponent(id)}`);
      printLine(terminal.stdout, `${id} is removed.`);
    });
  withControl(recipients.command("test"), terminal)
    .description("send a recipient a notification of an order that does not exist; 1 when it was not acknowledged")
    .argument("<id>")
    .action(async (id: string, options: ControlOptions) => {
      const path = `/recipients/${encodeURIComponent(id)}/test`;
      const result = await createControlClient(terminal, options).post<TestResult>(path, {});
      const status = result.httpStatus === null ? "" : `, status ${result.httpStatus}`;
      printLine(terminal.stdout, `${result.outcome}${status}, after ${result.durationMs} ms`);
      if (result.errorCode === null) return;
      printLine(terminal.stdout, toOneLine([result.errorCode, result.errorMessage ?? ""].join(" ").trim()));
      finish(1);
    });

  async function change(id: string, body: object, options: ControlOptions): Promise<ShownRecipient> {
    return createControlClient(terminal, options).patch(`/recipients/${encodeURIComponent(id)}`, body);
  }
}

/** @throws AppError `cli.bad_recipient`, without the text, which holds credentials */
function readObject(bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    value = null;
  }
  if (value !== null && typeof value === "object") return value;
  throw new AppError("cli.bad_recipient", "The recipient is no JSON object. docs/sender.md has an example.");
}

/** Adds the options by which the gateway is found. */
export function withControl(command: Command, terminal: Terminal): Command {
  return command
    .option("--url <url>", "the gateway side", defaultGatewayUrl(terminal))
    .option("--token <token>", "control token (not given: GATEWAY_CONTROL_TOKEN, else the demo's)");
}

function listLines({ items }: Page<ShownRecipient>, terminal: Terminal): readonly string[] {
  if (items.length === 0) return ["There is no recipient."];
  const rows = items.map((recipient) => [
    recipient.id,
    stateOf(recipient),
    String(recipient.pendingDeliveries),
    toOneLine(recipient.agencyId ?? ""),
    toOneLine(recipient.name),
    toOneLine(recipient.url),
  ]);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  const titles = ["RECIPIENT", "STATE", "PENDING", "AGENCY"].map((title) => ({ title }));
  return formatTable([...titles, { title: "NAME", flexible: true }, { title: "URL", flexible: true }], rows, {
    width,
    titleStyle: styleFor(terminal).bold,
  });
}

function stateOf({ state, failing, hold }: ShownRecipient): string {
  if (state !== "active") return state;
  if (hold !== null) return "held back";
  return failing === null ? "active" : "failing";
}
