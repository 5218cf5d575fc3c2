import { toBacktestOutcome } from "../../src/app/backtest/evaluate-batch.ts";
import { evaluateNotification } from "../../src/app/backtest/evaluate-notification.ts";
import { readOrderView } from "../../src/contract/read-order-view.ts";
import type { UnreadMembers } from "../../src/contract/unread-members.ts";
import { shippedMarks, unmarkedStatements } from "../../src/itinerary/member-marks.ts";
import {
  type AutomationReport,
  automationReportOf,
  type ChangeKind,
  countAutomation,
  createAutomationTally,
  mergeAutomation,
} from "../../src/policy/automation-report.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { type Dialect, dialects } from "./dialects.ts";
import type { MixedCase } from "./draw-mix.ts";
import { type Breach, judgeAccept } from "./judge.ts";

/** What policies do with a mix, and whether every accept among it was right. */
export interface MixReport {
  /** Changes that were decided. */
  readonly count: number;
  readonly policies: readonly PolicyOnMix[];
  readonly differences: readonly Difference[];
  /** In how many statuses something stands that no part of the program reads. */
  readonly unread: {
    readonly statuses: number;
    /** With at least one such member. */
    readonly withMembers: number;
    /** With at least one that the shipped list of harmless members does not name: a person looks at it. */
    readonly notListed: number;
  };
  readonly accepts: number;
  readonly wrongAccepts: readonly WrongAccept[];
}

export interface PolicyOnMix {
  readonly policy: string;
  /** Over all dialects. */
  readonly report: AutomationReport;
  readonly byDialect: Readonly<Record<Dialect, AutomationReport>>;
}

/** A change that a policy decides otherwise in one dialect than in another. */
export interface Difference {
  readonly seed: number;
  readonly index: number;
  readonly kind: ChangeKind;
  readonly policy: string;
  /** What it does and by which rule. */
  readonly decisions: Readonly<Record<Dialect, string>>;
}

/** An accept that breaks something, and all that makes it again. */
export interface WrongAccept {
  readonly seed: number;
  readonly index: number;
  readonly dialect: Dialect;
  readonly kind: ChangeKind;
  readonly policy: string;
  readonly rule: string;
  readonly breaches: readonly Breach[];
}

export interface MixOptions {
  readonly cases: AsyncIterable<MixedCase> | Iterable<MixedCase>;
  /** By the names under which the judge knows them. */
  readonly policies: readonly { readonly name: string; readonly policy: Policy }[];
  readonly onProgress?: (done: number) => void;
}

/** Lets every policy decide about each change in every dialect, and judges what they accept. */
export async function runMix({ cases, policies, onProgress }: MixOptions): Promise<MixReport> {
  const tallies = policies.map(() => dialects.map(() => createAutomationTally()));
  const differences: Difference[] = [];
  const wrongAccepts: WrongAccept[] = [];
  let accepts = 0;
  let count = 0;
  let withMembers = 0;
  let notListed = 0;
  for await (const each of cases) {
    const { seed, index } = each;
    const decided = dialects.map((dialect) => decideAll(each, dialect, policies));
    for (const [at, { name }] of policies.entries()) {
      const outcomes = decided.map((ofDialect) => ofDialect[at]!);
      outcomes.forEach((outcome, column) => countAutomation(tallies[at]![column]!, each.kind, outcome));
      for (const [column, { action, rule }] of outcomes.entries()) {
        if (action !== "accept") continue;
        accepts += 1;
        const breaches = judgeAccept(name, each.truth);
        const dialect = dialects[column]!;
        if (breaches.length > 0) {
          wrongAccepts.push({ seed, index, dialect, kind: each.kind, policy: name, rule, breaches });
        }
      }
      if (new Set(outcomes.map(({ action }) => action)).size > 1) {
        const decisions = byDialect((column) => `${outcomes[column]!.action} (${outcomes[column]!.rule})`);
        differences.push({ seed, index, kind: each.kind, policy: name, decisions });
      }
    }
    for (const statements of dialects.map((dialect) => unreadIn(each, dialect))) {
      if (statements.statements.length > 0) withMembers += 1;
      if (unmarkedStatements(statements, shippedMarks).length > 0) notListed += 1;
    }
    count += 1;
    onProgress?.(count);
  }
  return {
    count,
    differences,
    unread: { statuses: count * dialects.length, withMembers, notListed },
    accepts,
    wrongAccepts,
    policies: policies.map(({ name }, at) => {
      const all = createAutomationTally();
      for (const tally of tallies[at]!) mergeAutomation(all, tally);
      return {
        policy: name,
        report: automationReportOf(all),
        byDialect: byDialect((column) => automationReportOf(tallies[at]![column]!)),
      };
    }),
  };
}

/** @throws Error when the program cannot read what was rendered: then the mix says nothing */
function decideAll(each: MixedCase, dialect: Dialect, policies: MixOptions["policies"]) {
  const { notification, status } = each.bodies(dialect);
  const judged = evaluateNotification(
    { body: notification, statusBody: status, source: "mix", now: new Date(each.truth.now) },
    policies.map(({ policy }) => policy),
  );
  const order = judged.ok ? judged.orders[0] : undefined;
  if (order === undefined) {
    const why = judged.ok ? "the order is not found" : `${judged.code} at ${judged.path}`;
    throw new Error(`Change ${each.index} of seed ${each.seed} cannot be read in the dialect ${dialect}: ${why}.`);
  }
  return order.verdicts.map(toBacktestOutcome);
}

function unreadIn(each: MixedCase, dialect: Dialect): UnreadMembers {
  const reading = readOrderView(JSON.parse(Buffer.from(each.bodies(dialect).status).toString("utf8")));
  if (!reading.ok) throw new Error(`The status of change ${each.index} of seed ${each.seed} cannot be read.`);
  return reading.view.unread;
}

function byDialect<T>(of: (column: number) => T): Readonly<Record<Dialect, T>> {
  return Object.fromEntries(dialects.map((dialect, column) => [dialect, of(column)])) as Record<Dialect, T>;
}
