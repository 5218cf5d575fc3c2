import type { Command } from "commander";
import type { AppliedErasures, OrderErasure } from "../../app/erase-command.ts";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import type { OrderKey } from "../../store/erasure/erasure.ts";
import type { FoundTraveller } from "../../store/erasure/find-traveller.ts";
import { commandContext } from "../command-context.ts";
import { describeErasure, describeFound } from "../erasure-words.ts";
import { readInput } from "../read-input.ts";
import { type Finish, printJson, printJsonLine, printLine, printLines, type Terminal } from "../terminal.ts";

interface EraseOptions {
  readonly order?: string;
  readonly traveller?: string;
  readonly list?: boolean;
  readonly apply?: string;
  readonly yes?: boolean;
  readonly by?: string;
  readonly json?: boolean;
}

/** Exit code 1: something that was asked for, or that a list names, is not erased. */
export function addEraseCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("erase")
    .description("erase what is stored about travellers of an order. Ids, states, digests and the audit stay")
    .option("--order <source/orderId>", "the order, such as default/QX7R2M1A")
    .option("--traveller <text>", "search all stored bodies and notes for these words, and erase the orders")
    .option("--yes", "erase, not only show what is stored; --apply erases without it. This can't be undone")
    .option("--by <name>", "who erases with --yes; stored and audited")
    .option("--list", "print what was erased, one JSON object a line")
    .option("--apply <file>", "erase what such a list names once more, after an older dump was restored; - for stdin")
    .option("--json", "print the result as JSON")
    .action((options: EraseOptions) => run(options, terminal, finish));
}

async function run(options: EraseOptions, terminal: Terminal, finish: Finish): Promise<void> {
  assertChoice(options);
  if (options.list === true) return await printList(terminal);
  const { json = false } = options;
  // What is printed for people goes to standard error beside JSON.
  const shown = json ? { ...terminal, stdout: terminal.stderr } : terminal;
  const result = await eraseChosen(options, shown, finish);
  if (json) printJson(terminal, result);
}

function assertChoice({ order, traveller, list, apply, yes = false, by }: EraseOptions): void {
  if ([order, traveller, list, apply].filter((choice) => choice !== undefined).length !== 1) {
    throw new AppError("cli.erase_choice", "Give one of --order, --traveller, --list and --apply.");
  }
  const isOfList = list !== undefined || apply !== undefined;
  if (isOfList && (yes || by !== undefined)) {
    throw new AppError(
      "cli.erase_choice",
      "--yes and --by go with --order or --traveller. --list erases nothing; --apply erases at once, and the list says who did.",
    );
  }
  if (yes && by === undefined) throw new AppError("cli.erase_choice", "Say who erases: --by <name>.");
}

async function eraseChosen(
  { order, traveller, apply = "-", yes = false, by }: EraseOptions,
  terminal: Terminal,
  finish: Finish,
): Promise<unknown> {
  const erasedBy = yes ? `person:${by}` : null;
  if (order !== undefined) return await eraseOrders([toOrderKey(order)], erasedBy, terminal, finish);
  if (traveller !== undefined) return await eraseTraveller(traveller, erasedBy, terminal, finish);
  return await applyList(apply, terminal, finish);
}

function toOrderKey(text: string): OrderKey {
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) return { source: text.slice(0, slash), orderId: text.slice(slash + 1) };
  throw new AppError("cli.erase_choice", "--order takes <source>/<OrderID>, such as default/QX7R2M1A.");
}

async function eraseOrders(
  orders: readonly OrderKey[],
  erasedBy: string | null,
  terminal: Terminal,
  finish: Finish,
): Promise<readonly OrderErasure[]> {
  const { eraseConfiguredOrders } = await import("../../app/erase-command.ts");
  const erasures = await eraseConfiguredOrders(commandContext(terminal), orders, erasedBy);
  printErasures(erasures, terminal);
  if (erasures.some(({ outcome }) => outcome?.outcome !== "erased")) finish(1);
  if (erasedBy === null && erasures.some(({ subject }) => subject !== null)) {
    printLine(terminal.stdout, `Nothing was erased: ${hint}`);
  }
  return erasures;
}

function printErasures(erasures: readonly OrderErasure[], terminal: Terminal): void {
  printLines(terminal.stdout, erasures.flatMap(describeErasure));
}

async function eraseTraveller(
  text: string,
  erasedBy: string | null,
  terminal: Terminal,
  finish: Finish,
): Promise<FoundTraveller & { readonly erasures: readonly OrderErasure[] }> {
  const { findConfiguredTraveller } = await import("../../app/erase-command.ts");
  const found = await findConfiguredTraveller(commandContext(terminal), text, (searched) =>
    printLine(terminal.stderr, `${searched} bodies and notes searched`),
  );
  printLines(terminal.stdout, describeFound(found));
  const certain = found.orders.filter(({ isUncertain }) => !isUncertain);
  const erasures = certain.length > 0 ? await eraseOrders(certain, erasedBy, terminal, finish) : [];
  const goneWithOrders = new Set(erasures.flatMap(quarantinedErasedWith));
  const quarantined = found.quarantined.filter(({ id }) => !goneWithOrders.has(id));
  if (quarantined.length > 0) await eraseQuarantined(quarantined, erasedBy, terminal, finish);
  if (certain.length < found.orders.length || found.unreadable > 0) finish(1);
  return { ...found, erasures };
}

function quarantinedErasedWith({ subject, outcome }: OrderErasure): readonly string[] {
  return outcome?.outcome === "erased" ? (subject?.quarantinedIds ?? []) : [];
}

async function eraseQuarantined(
  quarantined: FoundTraveller["quarantined"],
  erasedBy: string | null,
  terminal: Terminal,
  finish: Finish,
): Promise<void> {
  if (erasedBy === null) {
    printLine(terminal.stdout, `Not erased: ${counted(quarantined.length, "notification")} in quarantine. ${hint}`);
    finish(1);
    return;
  }
  const { eraseConfiguredQuarantined } = await import("../../app/erase-command.ts");
  const erased = await eraseConfiguredQuarantined(commandContext(terminal), quarantined, erasedBy);
  printLine(terminal.stdout, `${counted(erased, "notification")} in quarantine erased.`);
  const left = quarantined.length - erased;
  if (left === 0) return;
  const notErased = `${counted(left, "notification")} not erased: no worker has looked at it, or it has left quarantine.`;
  printLine(terminal.stdout, `${notErased} Search again in a minute.`);
  finish(1);
}

const hint = "add --yes --by <name>. This can't be undone.";

async function printList(terminal: Terminal): Promise<void> {
  const { listConfiguredErasures } = await import("../../app/erase-command.ts");
  for (const entry of await listConfiguredErasures(commandContext(terminal))) {
    printJsonLine(terminal, entry);
  }
}

async function applyList(file: string, terminal: Terminal, finish: Finish): Promise<AppliedErasures> {
  const { applyErasureList } = await import("../../app/erase-command.ts");
  const list = Buffer.from(await readInput(file, terminal)).toString();
  const applied = await applyErasureList(commandContext(terminal), list);
  const { erased, alreadyErased, notStored, blocked } = applied;
  printErasures(blocked, terminal);
  printLine(terminal.stdout, `${erased} erased, ${alreadyErased} were erased already, ${notStored} are not stored.`);
  if (blocked.length > 0) {
    printLine(terminal.stdout, `${blocked.length} are still worked on. Apply the list again once they are finished.`);
    finish(1);
  }
  return applied;
}
