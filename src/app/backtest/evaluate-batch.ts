import type { CaseVerdict } from "../../cases/decide.ts";
import type { ChangeFacts } from "../../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import { type MemberMarks, shippedMarks } from "../../itinerary/member-marks.ts";
import type { Severity } from "../../itinerary/severity.ts";
import { kindOfChange } from "../../policy/automation-report.ts";
import {
  type BacktestCase,
  type BacktestOutcome,
  type BacktestSettings,
  type BacktestTally,
  countCase,
} from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import type { EncryptedRow, Encryption } from "../../store/database/encryption.ts";
import { notificationPlace } from "../../store/notifications/notification-reader.ts";
import { evaluateNotification } from "./evaluate-notification.ts";

export interface BacktestBody {
  /** What reports call it. */
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
  /** What is marked, by source; the shipped marks for others. */
  readonly marks?: MarksBySource;
}

export type MarksBySource = ReadonlyMap<string, MemberMarks>;

/** Evaluates both policies over each body and counts the results in `tally`. */
export function evaluateBatch(
  tally: BacktestTally,
  bodies: readonly BacktestBody[],
  { before, after, marks }: ComparedPolicies,
  settings: BacktestSettings,
): void {
  for (const { id, source, now, bytes } of bodies) {
    const marked = marks?.get(source) ?? shippedMarks;
    const evaluation = evaluateNotification({ body: bytes, source, now, statusBody: null, marks: marked }, [
      before,
      after,
    ]);
    if (!evaluation.ok) {
      tally.unreadable += 1;
      continue;
    }
    for (const { orderId, assessment, severity, verdicts } of evaluation.orders) {
      const { booked, facts } = assessment;
      const [byBefore, byAfter] = verdicts;
      const compared = { id, orderId, booked, facts, severity, before: byBefore!, after: byAfter! };
      countCase(tally, toBacktestCase(compared), settings);
    }
  }
}

export async function evaluateEncrypted(
  tally: BacktestTally,
  bodies: readonly EncryptedBody[],
  encryption: Pick<Encryption, "open">,
  policies: ComparedPolicies,
  settings: BacktestSettings,
): Promise<void> {
  for (const body of bodies) {
    const { id, source, now } = body;
    const bytes = await encryption.open(body, notificationPlace(id));
    evaluateBatch(tally, [{ id, source, now, bytes }], policies, settings);
  }
}

export interface ComparedDecisions {
  readonly id: string;
  readonly orderId: string;
  /** Null if none is stored. */
  readonly booked: Pick<Itinerary, "segments"> | null;
  readonly facts: ChangeFacts;
  readonly severity: Severity;
  readonly before: Decided;
  readonly after: Decided;
}

type Decided = Pick<CaseVerdict, "action" | "reviewQueue" | "rule" | "reasons">;

export function toBacktestCase({ booked, facts, severity, before, after, ...ids }: ComparedDecisions): BacktestCase {
  const { orderValue, currency } = facts;
  return {
    ...ids,
    airline: booked?.segments[0]?.marketingCarrier ?? null,
    severity: severity.name,
    kind: kindOfChange(facts),
    value: orderValue.known && currency.known ? { amount: orderValue.value, currency: currency.value } : null,
    before: toBacktestOutcome(before),
    after: toBacktestOutcome(after),
  };
}

export function toBacktestOutcome({ action, reviewQueue, rule, reasons }: Decided): BacktestOutcome {
  return { action, queue: reviewQueue, rule, reason: reasons[0]?.code ?? rule };
}
