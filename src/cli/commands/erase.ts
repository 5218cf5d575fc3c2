import type { Command } from "commander";
import type { AppliedErasures, OrderErasure } from "../../app/erase-command.ts";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import type { ErasureBlocker, OrderKey } from "../../store/erasure/erasure.ts";
import type { FoundTraveller } from "../../store/erasure/find-traveller.ts";
import { readInput } from "../read-input.ts";
import { type Finish, printJson, printJsonLine, printLine, type Terminal } from "../terminal.ts";

interface EraseOptions {
  readonly order?: string;
  readonly traveller?: string;
  readonly list?: boolean;
  readonly apply?: string;
  readonly yes?: boolean;
  readonly by?: string;
  readonly json?: boolean;
}

/** Exit code 1: something that was asked for is not erased. */
export function addEraseCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("erase")
    .description("erase what is stored about travellers of an order. Ids, states, digests and the audit stay")
    .option("--order <source/orderId>", "the order, such as default/QX7R2M1A")
    .option("--traveller <text>", "search all stored bodies and notes for these words, and erase the orders")
    .option("--yes", "erase. Without it, only what is stored is shown. This can't be undone")
    .option("--by <name>", "who erases; stored and audited")
    .option("--list", "print what was erased, one JSON object a line")
    .option("--apply <file>", "erase what such a list names once more, after an older dump was restored; - for stdin")
    .option("--json", "print the result as JSON")
    .action((options: EraseOptions) => run(options, terminal, finish));
}

async function run(options: EraseOptions, terminal: Terminal, finish: Finish): Promise<void> {
  const { order, traveller, list, apply, yes = false, by, json = false } = options;
  if ([order, traveller, list, apply].filter((choice) => choice !== undefined).length !== 1) {
    throw new AppError("cli.erase_choice", "Give one of --order, --traveller, --list and --apply.");
  }
  if (yes && by === undefined) throw new AppError("cli.erase_choice", "Say who erases: --by <name>.");
  const erasedBy = yes ? `person:${by}` : null;
  if (list === true) return await printList(terminal);
  // What is printed for people goes to standard error beside JSON.
  const shown = json ? { ...terminal, stdout: terminal.stderr } : terminal;
  const result =
    order !== undefined
      ? await eraseOrders([toOrderKey(order)], erasedBy, shown, finish)
      : traveller !== undefined
        ? await eraseTraveller(traveller, erasedBy, shown, finish)
        : await applyList(apply ?? "-", shown, finish);
  if (json) printJson(terminal, result);
}

function contextOf(terminal: Terminal) {
  return {
    environment: { ...terminal.environment },
    print: (line: string) => printLine(terminal.stderr, line),
  };
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
  const erasures = await eraseConfiguredOrders(contextOf(terminal), orders, erasedBy);
  for (const erasure of erasures) printErasure(erasure, terminal);
  if (erasures.some(({ outcome }) => outcome?.outcome !== "erased")) finish(1);
  if (erasedBy === null && erasures.some(({ subject }) => subject !== null)) {
    printLine(terminal.stdout, `Nothing was erased: ${hint}`);
  }
  return erasures;
}

function printErasure({ source, orderId, subject, outcome }: OrderErasure, terminal: Terminal): void {
  const name = `${source}/${orderId}`;
  if (subject === null) {
    printLine(terminal.stdout, `${name}: nothing is stored.`);
    return;
  }
  const blockers = outcome?.outcome === "blocked" ? outcome.blockers : outcome === null ? subject.blockers : [];
  if (outcome?.outcome === "erased") {
    const counts = Object.entries(outcome.counts).filter(([, count]) => count > 0);
    printLine(terminal.stdout, `${name}: erased. ${counts.map(([what, count]) => `${what}: ${count}`).join(", ")}`);
  } else {
    const states = subject.caseStates.length === 0 ? "none" : subject.caseStates.join(", ");
    const quarantined = subject.quarantinedIds.length;
    printLine(terminal.stdout, `${name}: cases: ${states}; notifications in quarantine: ${quarantined}.`);
  }
  if (outcome?.outcome === "blocked") printLine(terminal.stdout, `${name}: not erased.`);
  for (const blocker of blockers) printLine(terminal.stdout, `  ${describeBlocker(blocker)}`);
  if (subject.unreadable > 0) {
    printLine(
      terminal.stdout,
      `  ${counted(subject.unreadable, "notification")} in quarantine cannot be decrypted, and may name the order as well.`,
    );
  }
}

function describeBlocker({ code, about }: ErasureBlocker): string {
  switch (code) {
    case "case-open":
      return `Case ${about} is open. Close it first.`;
    case "case-due":
      return `Case ${about} is finished and about to be checked once more. Try again in a minute.`;
    case "effect-live":
      return `The outcome of effect ${about} is not known yet. Confirm or refute it first.`;
    case "task-open":
      return `Task ${about} is open. Close it first.`;
    case "order-leased":
      return "A worker has the order. Try again in a minute.";
    case "notification-pending":
      return `Notification ${about} waits for a worker. Try again in a minute.`;
    case "notification-shared":
      return `Notification ${about} also belongs to another order, which is still worked on.`;
    case "event-being-delivered":
      return "An event of the order is being delivered. Try again in a minute.";
  }
}

async function eraseTraveller(
  text: string,
  erasedBy: string | null,
  terminal: Terminal,
  finish: Finish,
): Promise<FoundTraveller & { readonly erasures: readonly OrderErasure[] }> {
  const { findConfiguredTraveller } = await import("../../app/erase-command.ts");
  const found = await findConfiguredTraveller(contextOf(terminal), text, (searched) =>
    printLine(terminal.stderr, `${searched} bodies and notes searched`),
  );
  printFound(found, terminal);
  const certain = found.orders.filter(({ isUncertain }) => !isUncertain);
  const erasures = certain.length > 0 ? await eraseOrders(certain, erasedBy, terminal, finish) : [];
  if (found.quarantined.length > 0) await eraseQuarantined(found.quarantined, erasedBy, terminal, finish);
  if (certain.length < found.orders.length || found.unreadable > 0) finish(1);
  return { ...found, erasures };
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
  const erased = await eraseConfiguredQuarantined(contextOf(terminal), quarantined, erasedBy);
  printLine(terminal.stdout, `${counted(erased, "notification")} in quarantine erased.`);
}

const hint = "add --yes --by <name>. This can't be undone.";

function printFound({ orders, quarantined, searched, unreadable }: FoundTraveller, terminal: Terminal): void {
  printLine(terminal.stdout, `${searched} bodies and notes searched, ${counted(orders.length, "order")} found.`);
  for (const { source, orderId, named, isUncertain } of orders) {
    const places = Object.entries(named).map(([what, count]) => `${count} × ${what}`);
    const doubt = isUncertain ? " Named only together with other orders: check it, then erase it by --order." : "";
    printLine(terminal.stdout, `  ${source}/${orderId}: ${places.join(", ")}.${doubt}`);
  }
  for (const { id } of quarantined) printLine(terminal.stdout, `  Notification ${id} in quarantine.`);
  if (unreadable > 0) {
    printLine(terminal.stdout, `${unreadable} bodies cannot be decrypted. Add their key to ENCRYPTION_KEYS.`);
  }
}

async function printList(terminal: Terminal): Promise<void> {
  const { listConfiguredErasures } = await import("../../app/erase-command.ts");
  for (const entry of await listConfiguredErasures(contextOf(terminal))) {
    printJsonLine(terminal, entry);
  }
}

async function applyList(file: string, terminal: Terminal, finish: Finish): Promise<AppliedErasures> {
  const { applyErasureList } = await import("../../app/erase-command.ts");
  const list = Buffer.from(await readInput(file, terminal)).toString();
  const applied: AppliedErasures = await applyErasureList(contextOf(terminal), list);
  const { erased, alreadyErased, notStored, blocked } = applied;
  for (const erasure of blocked) printErasure(erasure, terminal);
  printLine(terminal.stdout, `${erased} erased, ${alreadyErased} were erased already, ${notStored} are not stored.`);
  if (blocked.length > 0) {
    printLine(terminal.stdout, `${blocked.length} are still worked on. Apply the list again once they are finished.`);
    finish(1);
  }
  return applied;
}
