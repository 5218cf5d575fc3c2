import { type EvaluatedOrder, evaluateNotification } from "../../../app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../../app/policy-file.ts";
import { describeChange } from "../../../itinerary/describe.ts";
import { AppError } from "../../../kernel/app-error.ts";
import type { Policy } from "../../../policy/policy.ts";
import { formatRules } from "../../case-page.ts";
import { formatLegal } from "../../legal-lines.ts";
import { readInput } from "../../read-input.ts";
import { type MarksOptions, readMarks } from "../../read-marks.ts";
import { styleFor } from "../../style.ts";
import { printJson, printLine, type Terminal } from "../../terminal.ts";

export interface ExplainOptions extends MarksOptions {
  readonly policy?: string;
  readonly status?: string;
  readonly source: string;
  readonly now: Date;
  readonly json?: boolean;
}

export async function explain(file: string, options: ExplainOptions, terminal: Terminal): Promise<void> {
  if (file === "-" && options.status === "-") {
    throw new AppError("cli.two_inputs", "Only one of the two can be standard input.");
  }
  const { policy } = readPolicyFile(options.policy ?? null);
  const judged = evaluateNotification(
    {
      body: await readInput(file, terminal),
      source: options.source,
      now: options.now,
      statusBody: options.status === undefined ? null : await readInput(options.status, terminal),
      marks: await readMarks(options, terminal),
    },
    [policy],
  );
  if (!judged.ok) {
    const place = judged.path === "" ? "" : ` at ${judged.path}`;
    throw new AppError(judged.code, `The ${judged.of} cannot be used (${judged.code}${place}): ${judged.message}`);
  }
  judged.orders.forEach((order, index) => {
    if (options.json === true) return printJson(terminal, toJson(order, policy));
    if (index > 0) printLine(terminal.stdout);
    for (const line of formatOrder(order, policy, terminal)) printLine(terminal.stdout, line);
  });
}

function toJson({ orderId, assessment, severity, verdicts }: EvaluatedOrder, { name, version }: Policy) {
  const [verdict] = verdicts;
  return {
    orderId,
    summary: summaryOf(assessment),
    severity: severity.name,
    policy: { name, version },
    action: verdict?.action,
    queue: verdict?.reviewQueue,
    priority: verdict?.priority,
    rule: verdict?.rule,
    until: verdict?.dueAt,
    reasons: verdict?.reasons,
    legal: assessment.legal,
    trace: verdict?.trace,
  };
}

function formatOrder(order: EvaluatedOrder, policy: Policy, terminal: Terminal): readonly string[] {
  const style = styleFor(terminal);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  const { orderId, assessment, verdicts } = order;
  const verdict = verdicts[0]!;
  const where = verdict.reviewQueue === null ? "" : ` in queue ${verdict.reviewQueue}, priority ${verdict.priority}`;
  const until = verdict.dueAt === null ? "" : ` until ${verdict.dueAt.toISOString()}`;
  return [
    style.bold(`Order ${orderId}`),
    summaryOf(assessment),
    `Decision of ${policy.name}: ${style.bold(verdict.action)}${where}${until}, rule ${verdict.rule}`,
    ...verdict.reasons.map(({ code, text }) => `  - ${text} ${style.dim(`(${code})`)}`),
    "",
    style.bold("Passenger rights"),
    ...formatLegal(assessment.legal, assessment.facts, { style, width, mayBeAccepted: true }),
    "",
    style.bold("Rules tried"),
    ...formatRules(verdict.trace, { style, width }),
  ];
}

function summaryOf({ booked, proposal, facts }: EvaluatedOrder["assessment"]): string {
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  return describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys });
}
