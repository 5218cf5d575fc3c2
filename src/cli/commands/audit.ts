import { type Command, InvalidArgumentError, Option } from "commander";
import { counted } from "../../kernel/counted.ts";
import { idPattern } from "../../kernel/ids.ts";
import type { AuditHead } from "../../store/audit/audit-blocks.ts";
import { canonicalFormOf } from "../../store/audit/audit-entry.ts";
import type { AuditBlock, ChainedAuditEntry } from "../../store/audit/audit-reading.ts";
import type { AuditVerdict } from "../../store/audit/audit-verification.ts";
import { auditCsvHeader, toAuditCsv } from "../audit-csv.ts";
import { commandContext } from "../command-context.ts";
import { readEarlier } from "../read-instant.ts";
import { styleFor } from "../style.ts";
import { type Finish, printJson, printLine, printProgress, type Terminal, toJson, writeDocument } from "../terminal.ts";

interface VerifyOptions {
  readonly head?: AuditHead;
  readonly from?: number;
  readonly json?: boolean;
}

interface ExportOptions {
  readonly format: "jsonl" | "csv";
  readonly since?: Date;
  readonly until?: Date;
  readonly case?: string;
  readonly order?: string;
}

/** Reads the database directly. */
export function addAuditCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const audit = program.command("audit").description("verify and export the audit: who did what to which order");
  audit
    .command("verify")
    .description(
      "check every entry of the chain. Exit code 1 if an entry was changed or waits too long to be chained; the first one is shown",
    )
    .option("--head <block:hash>", "a chain head stored elsewhere, which the chain must contain", readHead)
    .option("--from <block>", "start at this block and trust the one before it", readBlockNumber)
    .option("--json", "print the result as JSON")
    .action(async (options: VerifyOptions) => finish(await verify(options, terminal)));
  audit
    .command("export")
    .description(
      "print all chained entries in order; as JSON lines, and without a filter, also their blocks. The head is printed to standard error",
    )
    .addOption(new Option("--format <format>").choices(["jsonl", "csv"]).default("jsonl"))
    .option("--since <time>", "recorded since then: 7d, or an instant", (text) => readEarlier(text))
    .option("--until <time>", "recorded before then", (text) => readEarlier(text))
    .option("--case <id>", "only this case", readCaseId)
    .option("--order <OrderID>", "only this order")
    .action((options: ExportOptions) => exportAudit(options, terminal));
}

async function verify(options: VerifyOptions, terminal: Terminal): Promise<number> {
  const { verifyConfiguredAudit } = await import("../../app/audit-reports.ts");
  const verdict = await verifyConfiguredAudit(commandContext(terminal), {
    ...(options.head === undefined ? {} : { known: options.head }),
    ...(options.from === undefined ? {} : { from: options.from }),
    onProgress: (checked) => printProgress(terminal, `${counted(checked, "entry", "entries")} checked`),
  });
  printProgress(terminal, "");
  if (options.json === true) printJson(terminal, verdict);
  else printVerdict(verdict, terminal);
  return verdict.broken === null ? 0 : 1;
}

function printVerdict({ broken, checked, head, eventsGone, eventsCut }: AuditVerdict, terminal: Terminal): void {
  const style = styleFor(terminal);
  const isChanged = broken !== null && broken.code !== "audit.sealing_behind";
  if (broken === null) {
    const entries = counted(checked, "entry", "entries");
    printLine(terminal.stdout, `${style.good("The audit is intact.")} ${entries} checked.`);
  } else {
    const words = isChanged ? style.bad("The audit was changed:") : style.warn("The audit is behind:");
    printLine(terminal.stdout, `${words} ${broken.message} (${broken.code})`);
  }
  if (eventsGone > 0) {
    const gone = counted(eventsGone, "audited line of timelines is", "audited lines of timelines are");
    printLine(terminal.stdout, `${gone} gone.`);
  }
  if (eventsCut > 0) {
    const cut = counted(eventsCut, "line");
    printLine(terminal.stdout, `The texts of ${cut} of timelines were deleted by retention or erasures.`);
  }
  printLine(terminal.stdout, `Head ${head.block}:${head.hash}${isChanged ? ", the last block that fits" : ""}`);
}

async function exportAudit(options: ExportOptions, terminal: Terminal): Promise<void> {
  const { exportConfiguredAudit } = await import("../../app/audit-reports.ts");
  const { since, until, case: caseId, order: orderId } = options;
  const isCsv = options.format === "csv";
  const head = await exportConfiguredAudit(
    commandContext(terminal),
    { since, until, caseId, orderId },
    {
      begin: () => (isCsv ? writeDocument(terminal, `${auditCsvHeader}\n`) : undefined),
      write: (line) => {
        if (!isCsv) return writeDocument(terminal, `${toJson(lineOf(line))}\n`);
        return "entries" in line ? undefined : writeDocument(terminal, `${toAuditCsv(line)}\n`);
      },
    },
  );
  printLine(terminal.stderr, `Head ${head.block}:${head.hash}`);
}

/** Without `block`, the line of an entry is its canonical form. */
function lineOf(line: ChainedAuditEntry | AuditBlock): object {
  return "entries" in line ? line : { block: line.block, ...canonicalFormOf(line) };
}

function readHead(text: string): AuditHead {
  const [, block, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (block === undefined || hash === undefined) {
    throw new InvalidArgumentError("Give the head as it was printed: a number, a colon and 64 hexadecimal digits.");
  }
  return { block: Number(block), hash: hash.toLowerCase() };
}

function readBlockNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("Give the number of a block, from 1.");
  return Number(text);
}

function readCaseId(text: string): string {
  if (!idPattern.test(text)) throw new InvalidArgumentError("Give the id of a case: a UUID.");
  return text;
}
