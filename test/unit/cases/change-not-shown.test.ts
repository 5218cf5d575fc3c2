import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyText } from "../../../src/app/policy-file.ts";
import { assess } from "../../../src/cases/assess.ts";
import { decide } from "../../../src/cases/decide.ts";
import type { DecisionSubject } from "../../../src/cases/new-decision.ts";
import { unseenOrder } from "../../../src/cases/unseen-order.ts";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { noMarks } from "../../../src/itinerary/member-marks.ts";
import { aMinorDelay, bytesOf, details } from "../../builders/order-view.ts";

const acceptsAll = readPolicyText(
  `version: 1
name: accepts-all
rules:
  - { name: all, when: 'changedFlightCount >= 0', do: accept, reason: all }
`,
  "accepts-all",
);

/** The flags of the delay, and the flights as they were booked. */
const hidden = aMinorDelay({ changes: {} });

/** The flags of the delay, and as the new flights those that were booked. */
const takenBack = aMinorDelay({ changes: { Segment1: [details("LIS 2027-03-14 07:10", null)] } });

function judged(notification: object, status: object) {
  const judgement = evaluateNotification(
    {
      body: bytesOf(notification),
      source: "default",
      now: new Date("2026-11-01T00:00:00Z"),
      statusBody: bytesOf(status),
    },
    [acceptsAll],
  );
  if (!judgement.ok) throw new Error("the notification cannot be read");
  return judgement.orders[0]?.verdicts[0];
}

test("a status that allows accepting and hides the change in the notification goes to an agent", () => {
  expect(judged(aMinorDelay(), hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a status that allows accepting and hides the change goes to an agent, though the notification states no other flight", () => {
  expect(judged(hidden, hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
  expect(judged(takenBack, hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a change in the notification that the status shows as withdrawn goes to an agent", () => {
  expect(judged(aMinorDelay(), takenBack)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("an open change of which neither notification nor status shows a difference goes to an agent", () => {
  expect(judged(takenBack, takenBack)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a change that the status shows is decided by the rules", () => {
  expect(judged(aMinorDelay(), aMinorDelay())).toMatchObject({ action: "accept" });
});

/** The same flight an hour and a half later. */
const muchLater = aMinorDelay({ changes: { Segment1: [details("LIS 2027-03-14 08:40", "FRA 2027-03-14 12:50")] } });

test("a status that shows another change than the notification goes to an agent", () => {
  expect(judged(muchLater, aMinorDelay())).toMatchObject({ action: "review", rule: "check:change-not-shown" });
  expect(judged(muchLater, muchLater)).toMatchObject({ action: "accept" });
});

test("the reason says whether the status shows no change or another one", () => {
  expect(judged(hidden, hidden)?.reasons[0]?.text).toBe(
    "The gateway allows to accept a change without showing it: its status has no changed flight.",
  );
  expect(judged(muchLater, aMinorDelay())?.reasons[0]?.text).toBe(
    "The status shows other new flights than the newest notification. Ask the airline which are right before you accept them.",
  );
});

describe("a status that does not show the change in the newest notification", () => {
  const notifiedAt = new Date("2026-11-01T00:00:00Z");
  const lagEnds = new Date("2026-11-01T00:15:00Z");
  const subject = subjectAt(aMinorDelay(), muchLater);

  test("may have been stored before it, and is read once more when it can no longer be that old", () => {
    expect(decide({ ...subject, notifiedAt, now: new Date(lagEnds.getTime() - 1) }, acceptsAll)).toMatchObject({
      action: "wait",
      rule: "check:not-shown-yet",
      dueAt: lagEnds,
    });
  });

  test("goes to a person after that", () => {
    expect(decide({ ...subject, notifiedAt, now: lagEnds }, acceptsAll)).toMatchObject({
      action: "review",
      rule: "check:change-not-shown",
    });
  });

  test("is newer than it when an earlier status has shown that, and is decided by the rules", () => {
    expect(decide({ ...subject, notifiedAt, notifiedUnseen: false }, acceptsAll).action).toBe("accept");
  });
});

function subjectAt(status: object, notification: object): DecisionSubject {
  const view = readNotification(bytesOf(status));
  const notice = readNotification(bytesOf(notification));
  if (!view.ok || !notice.ok) throw new Error("a view cannot be read");
  const now = new Date("2026-11-01T00:05:00Z");
  const known = unseenOrder(view.view.orders[0]!.orderId, notice.view);
  const assessment = assess(
    view.view,
    known,
    { gateway: interfaceDocument, policy: acceptsAll, customerAgreement: false, marks: noMarks },
    now,
  );
  if (assessment === null) throw new Error("the status does not speak of the order");
  const { facts, legal, order, notified, proposal } = assessment;
  return {
    source: "default",
    order,
    facts,
    legal,
    now,
    proposal,
    notified,
    notifiedUnseen: true,
    notifiedAt: null,
    awaited: null,
    lastSuccess: null,
    airlineDeadline: null,
    manualReviewReason: null,
    automationStoppedAt: null,
    caseOpenedAt: new Date("2026-10-31T00:00:00Z"),
    statusLagMs: 15 * 60_000,
  };
}
