import { type Command, InvalidArgumentError, Option } from "commander";
import { counted } from "../../kernel/counted.ts";
import type { AuditHead } from "../../store/audit/audit-entry.ts";
import type { ChainedAuditEntry } from "../../store/audit/audit-reading.ts";
import { auditCsvHeader, toAuditCsv } from "../audit-csv.ts";
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
    .option("--head <seq:hash>", "a chain head stored elsewhere, which the chain must contain", readHead)
    .option("--from <seq>", "start at this entry and trust the one before it", readSeq)
    .option("--json", "print the result as JSON")
    .action(async (options: VerifyOptions) => finish(await verify(options, terminal)));
  audit
    .command("export")
    .description("print all chained entries in order. The head is printed to standard error")
    .addOption(new Option("--format <format>").choices(["jsonl", "csv"]).default("jsonl"))
    .option("--since <time>", "recorded since then: 7d, or an instant", (text) => readEarlier(text))
    .option("--until <time>", "recorded before then", (text) => readEarlier(text))
    .option("--case <id>", "only this case", readCaseId)
    .option("--order <OrderID>", "only this order")
    .action((options: ExportOptions) => exportAudit(options, terminal));
}

async function verify(options: VerifyOptions, terminal: Terminal): Promise<number> {
  const { verifyConfiguredAudit } = await import("../../app/audit-reports.ts");
  const verdict = await verifyConfiguredAudit(placeOf(terminal), {
    ...(options.head === undefined ? {} : { known: options.head }),
    ...(options.from === undefined ? {} : { from: options.from }),
    onProgress: (checked) => printProgress(terminal, `${checked} links checked`),
  });
  printProgress(terminal, "");
  const { broken, checked, head, eventsGone, eventsCut } = verdict;
  const isChanged = broken !== null && broken.code !== "audit.sealing_behind";
  if (options.json === true) printJson(terminal, verdict);
  else {
    const style = styleFor(terminal);
    if (broken === null) printLine(terminal.stdout, `${style.good("The audit is intact.")} ${checked} links checked.`);
    else {
      const words = isChanged ? style.bad("The audit was changed:") : style.warn("The audit is behind:");
      printLine(terminal.stdout, `${words} ${broken.message} (${broken.code})`);
    }
    if (eventsGone > 0) {
      const gone = counted(eventsGone, "audited line of timelines is", "audited lines of timelines are");
      printLine(terminal.stdout, `${gone} gone.`);
    }
    if (eventsCut > 0) {
      printLine(
        terminal.stdout,
        `The texts of ${counted(eventsCut, "line")} of timelines were deleted by retention or erasures.`,
      );
    }
    printLine(terminal.stdout, `Head ${head.seq}:${head.hash}${isChanged ? ", the last link that fits" : ""}`);
  }
  return broken === null ? 0 : 1;
}

async function exportAudit(options: ExportOptions, terminal: Terminal): Promise<void> {
  const { exportConfiguredAudit } = await import("../../app/audit-reports.ts");
  const { since, until, case: caseId, order: orderId } = options;
  const isCsv = options.format === "csv";
  const head = await exportConfiguredAudit(
    placeOf(terminal),
    { since, until, caseId, orderId },
    {
      begin: () => (isCsv ? writeDocument(terminal, `${auditCsvHeader}\n`) : undefined),
      write: (entry) => writeDocument(terminal, `${isCsv ? toAuditCsv(entry) : toJsonLine(entry)}\n`),
    },
  );
  printLine(terminal.stderr, `Head ${head.seq}:${head.hash}`);
}

function toJsonLine(entry: ChainedAuditEntry): string {
  const { seq, hash, ...members } = entry;
  return toJson({ seq, hash, ...members });
}

function placeOf(terminal: Terminal) {
  return {
    environment: { ...terminal.environment },
    print: (line: string) => printLine(terminal.stderr, line),
  };
}

function readHead(text: string): AuditHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (seq === undefined || hash === undefined) {
    throw new InvalidArgumentError("Give the head as it was printed: a number, a colon and 64 hexadecimal digits.");
  }
  return { seq: Number(seq), hash: hash.toLowerCase() };
}

function readSeq(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("Give the number of an entry, from 1.");
  return Number(text);
}

function readCaseId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw new InvalidArgumentError("Give the id of a case: a UUID.");
  }
  return text;
}
