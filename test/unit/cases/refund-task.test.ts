import { describe, expect, test } from "vitest";
import type { ExpectedRefund } from "../../../src/cases/effect.ts";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import { followUpCancelWithoutResponse, followUpRefund } from "../../../src/cases/refund-task.ts";
import { lawWith } from "../../builders/task-clocks.ts";

const expected: ExpectedRefund = { amount: "412.50", currency: "EUR", basis: "unused-price" };
const legal = lawWith(["eu-refund"]);

function refundedOf(refundAmount: string) {
  const result = { gdsBookingReferences: ["LHSKD1"], status: "SUCCESS", errorMessage: "", refundText: null };
  return [{ ...result, refundAmount, refundPaxWiseFare: [] }];
}

describe("the refund of a cancel", () => {
  const cancelledAt = new Date("2027-03-05T10:00:00Z");

  test("that is too low leaves a task, due by the law's term from the cancel", () => {
    const { check, task } = followUpRefund(expected, refundedOf("100"), legal, cancelledAt);

    expect(check).toBe("lower");
    expect(task).toMatchObject({
      kind: "check-refund",
      reasons: [{ code: "refund-lower" }],
      dueBy: { at: new Date("2027-03-13T00:00:00Z"), rule: "eu-refund" },
    });
  });

  test("that is as expected leaves none", () => {
    expect(followUpRefund(expected, refundedOf("412.50"), legal, cancelledAt)).toEqual({
      check: "as-expected",
      task: null,
    });
  });
});

describe("a cancel whose response nobody read", () => {
  const now = new Date("2027-03-20T10:00:00Z");
  const cancel: EffectSnapshot = {
    id: "effect",
    caseId: "case",
    action: "cancel",
    state: "succeeded",
    proposalDigest: "digest",
    gdsBookingReferences: ["LHSKD1"],
    decisionId: "decision",
    settleReads: 0,
    unchangedReads: 0,
    sends: 1,
    sentAt: new Date("2027-03-05T10:00:00Z"),
    sentAgoMs: null,
    finishedAt: new Date("2027-03-19T10:00:00Z"),
    proposed: null,
    acceptedBefore: null,
    ancillariesAtRisk: [],
    expectedRefund: expected,
    refundCheck: null,
    legal,
    otherFlightsAskedIn: null,
    notifiedSince: false,
    contradicted: false,
    confirmedByPerson: false,
  };
  const due = (effect: EffectSnapshot) => followUpCancelWithoutResponse(effect, now).task?.dueBy?.at.toISOString();

  test("counts from when it was sent, so that its refund may be overdue by the time it is found out", () => {
    expect(due(cancel)).toBe("2027-03-13T00:00:00.000Z");
  });

  test("counts from when it was found out, or else from now, where it is not known when it was sent", () => {
    expect(due({ ...cancel, sentAt: null })).toBe("2027-03-27T00:00:00.000Z");
    expect(due({ ...cancel, sentAt: null, finishedAt: null })).toBe("2027-03-28T00:00:00.000Z");
  });
});
