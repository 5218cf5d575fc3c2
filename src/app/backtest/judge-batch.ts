import type { CaseVerdict } from "../../cases/decide.ts";
import { kindOfChange } from "../../policy/automation-report.ts";
import { type BacktestOutcome, type BacktestSettings, type BacktestTally, countCase } from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import type { EncryptedRow, Encryption } from "../../store/database/encryption.ts";
import { type JudgedOrder, judgeNotification } from "./judge-notification.ts";

/** A body with the name that reports use. */
export interface BacktestBody {
  readonly id: string;
  readonly source: string;
  /** The "now" of the decision. */
  readonly now: Date;
  readonly bytes: Uint8Array;
}

export interface EncryptedBody extends Omit<BacktestBody, "bytes">, EncryptedRow {}

export interface ComparedPolicies {
  readonly before: Policy;
  readonly after: Policy;
}

export function judgeBatch(
  tally: BacktestTally,
  bodies: readonly BacktestBody[],
  { before, after }: ComparedPolicies,
  settings: BacktestSettings,
): void {
  for (const { id, source, now, bytes } of bodies) {
    const judged = judgeNotification({ body: bytes, source, now, statusBody: null }, [before, after]);
    if (!judged.ok) {
      tally.unreadable += 1;
      continue;
    }
    for (const order of judged.orders) countOrder(tally, id, order, settings);
  }
}

export async function judgeEncrypted(
  tally: BacktestTally,
  bodies: readonly EncryptedBody[],
  encryption: Pick<Encryption, "open">,
  policies: ComparedPolicies,
  settings: BacktestSettings,
): Promise<void> {
  for (const body of bodies) {
    const { id, source, now } = body;
    judgeBatch(tally, [{ id, source, now, bytes: await encryption.open(body) }], policies, settings);
  }
}

function countOrder(tally: BacktestTally, id: string, order: JudgedOrder, settings: BacktestSettings): void {
  const { orderId, assessment, severity, verdicts } = order;
  const [before, after] = verdicts.map(outcomeOf);
  if (before === undefined || after === undefined) return;
  const { orderValue, currency } = assessment.facts;
  countCase(
    tally,
    {
      id,
      orderId,
      airline: assessment.booked.segments[0]?.marketingCarrier ?? null,
      severity: severity.name,
      kind: kindOfChange(assessment.facts),
      value: orderValue.known && currency.known ? { amount: orderValue.value, currency: currency.value } : null,
      before,
      after,
    },
    settings,
  );
}

export function outcomeOf({
  action,
  reviewQueue,
  rule,
  reasons,
}: Pick<CaseVerdict, "action" | "reviewQueue" | "rule" | "reasons">): BacktestOutcome {
  return { action, queue: reviewQueue, rule, reason: reasons[0]?.code ?? rule };
}
