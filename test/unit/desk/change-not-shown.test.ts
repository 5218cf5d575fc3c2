import { expect, test } from "@jest/globals";
import { readPolicyText } from "../../../src/app/policy-file.ts";
import { judgeNotification } from "../../../src/desk/judge-notification.ts";
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
  const judgement = judgeNotification(
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

test("a status that offers to accept and hides what the notification tells of goes to a person", () => {
  expect(judged(aMinorDelay(), hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a status that offers to accept and hides what it is goes to a person, though the notification told of no other flight", () => {
  expect(judged(hidden, hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
  expect(judged(takenBack, hidden)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a change that the notification tells of and the status shows as taken back goes to a person", () => {
  expect(judged(aMinorDelay(), takenBack)).toMatchObject({ action: "review", rule: "check:change-not-shown" });
});

test("a change that notification and status both show as taken back may be accepted", () => {
  expect(judged(takenBack, takenBack)).toMatchObject({ action: "accept" });
});

test("a change that the status shows is decided by the rules", () => {
  expect(judged(aMinorDelay(), aMinorDelay())).toMatchObject({ action: "accept" });
});
