import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import { type Assessment, assess, firstContact } from "../../../src/cases/assess.ts";
import { decide, type Verdict } from "../../../src/cases/decide.ts";
import type { Reason } from "../../../src/cases/decision.ts";
import type { DecisionSubject } from "../../../src/cases/new-decision.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { anyBrokenOrderView, anyOrderView } from "../../builders/arbitrary-order-view.ts";
import { type SampleName, sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { sampleSize } from "../../harness/sample-size.ts";
import { decide as decideAsBefore } from "../../oracle/case-decide.ts";
import { policyFrom, policyOf } from "../policy/policies.ts";

/*
 * The table of checks decides as the functions did that it replaces. They stay in test/oracle for as long as the rest of
 * the work on a case moves.
 */

const policies = [
  ...shippedPolicyNames.map((name) => readPolicyFile(name).policy),
  policyOf({ when: "true", do: "accept" }),
  policyOf({ when: "true", do: "ask-traveller" }),
  policyFrom(`version: 1
name: cancels
settings: { orderValue: { EUR: 500 } }
rules:
  - { name: asked, when: 'order.travellerAnswer == "refund" && ticketed && departedFlightCount == 0', do: cancel, reason: asked }
  - { name: over, when: tripDeparted, do: none, reason: over }
  - { name: wait, when: minutesToDeparture > 10000, do: { wait: { hours: 5 } }, reason: wait }
`),
];
const now = new Date("2026-11-01T00:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

const samples: readonly SampleName[] = ["minor-delay", "misconnection", "replaced-by-two", "cancelled"];
const offered = samples.map((sample) =>
  withFlags(sampleNotification(sample, { orderId: "ORACLE" }), { Accept: "Y", Cancel: "Y", ReSchedule: "N" }),
);
const someView = fc.oneof(anyOrderView(), anyBrokenOrderView(), fc.constantFrom(...offered));
const changeStatus = fc.constantFrom("Accepted", "Rejected", "Initiated", "Partially-Accepted", "Something", undefined);

/** What is known of the order besides the views. */
const surroundings = fc.record({
  policy: fc.constantFrom(...policies),
  status: changeStatus,
  notifiedUnseen: fc.boolean(),
  isAwaited: fc.boolean(),
  isStopped: fc.boolean(),
  notifiedMinutesAgo: fc.constantFrom(null, 0, 14, 15, 600),
  openedMinutesAgo: fc.constantFrom(0, 14, 15, 600),
  travellerAnswer: fc.constantFrom(null, "accept" as const, "refund" as const, "reroute" as const),
  last: fc.constantFrom(null, "same" as const, "other" as const),
  lastAction: fc.constantFrom("accept" as const, "cancel" as const),
  lastMinutesAgo: fc.constantFrom(0, 14, 15, 600),
  overruled: fc.constantFrom<Reason | null>(
    null,
    { code: "proposal-changed", text: "changed" },
    { code: "proposal-unsettled", text: "unsettled" },
    { code: "person-decided", text: "decided" },
  ),
});

function viewsOf(body: unknown): OrderView | null {
  const reading = readNotification(Buffer.from(JSON.stringify(body)));
  return reading.ok ? reading.view : null;
}

function subjectOf(
  { facts, legal, order, proposal, notified }: Assessment,
  around: typeof surroundings extends fc.Arbitrary<infer Value> ? Value : never,
): DecisionSubject {
  const other = { ...proposal.proposed, segments: [] };
  const scheduleChangeStatus = around.status === undefined ? unknown("missing") : known(around.status);
  return {
    source: "default",
    order: { ...order, travellerAnswer: around.travellerAnswer },
    ...{ legal, now, notified },
    facts: { ...facts, scheduleChangeStatus },
    proposal: { ...proposal, scheduleChangeStatus },
    notifiedUnseen: around.notifiedUnseen,
    notifiedAt: around.notifiedMinutesAgo === null ? null : minutes(-around.notifiedMinutesAgo),
    awaited: around.isAwaited ? proposal.current : null,
    lastSuccess:
      around.last === null
        ? null
        : {
            action: around.lastAction,
            proposalDigest: around.last === "same" ? proposal.digest : "another",
            finishedAt: minutes(-around.lastMinutesAgo),
            decidedFlights: around.lastAction === "accept" && around.last === "other" ? other : null,
          },
    caseOpenedAt: minutes(-around.openedMinutesAgo),
    statusLagMs: 15 * 60_000,
    overruled: around.overruled,
    automationStoppedAt: around.isStopped && around.overruled === null ? now : null,
  };
}

/** What may differ: a check that came before the rules, or after them, is now asked with them. */
function comparable({ rule, reasons, priority, trace, ...verdict }: Verdict): unknown {
  const codes = reasons.map(({ code }) => code);
  const moved = codes.find((code) => code === "partially-accepted" || code === "data-suspect");
  return moved === undefined ? { ...verdict, rule, codes, priority, trace } : { ...verdict, moved };
}

test("the table of checks decides as the functions before it", () => {
  const numRuns = sampleSize({ quick: 100, proof: 2000 });
  let decided = 0;
  fc.assert(
    fc.property(someView, someView, surroundings, (statusBody, noticeBody, around) => {
      const status = viewsOf(statusBody);
      const notice = viewsOf(noticeBody);
      const orderId = status?.orders[0]?.orderId;
      if (status === null || notice === null || orderId === undefined) return;
      const settings = { policy: around.policy, customerAgreement: false };
      const assessment = assess(status, firstContact(orderId, notice), settings, now);
      if (assessment === null) return;
      const subject = subjectOf(assessment, around);
      decided += 1;
      expect(comparable(decide(subject, around.policy))).toEqual(comparable(decideAsBefore(subject, around.policy)));
    }),
    { numRuns },
  );
  expect(decided).toBeGreaterThan(numRuns / 3);
});
