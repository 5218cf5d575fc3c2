import { describe, expect, test } from "vitest";
import { credentialsRefused, mixedResults, notSent, refusedTemporarily } from "../../../src/cases/effect.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { afterMs, anAccept, anOrder, broughtForward, cancelled, withOrder } from "../../builders/order-context.ts";
import {
  anAttempt,
  type Brief,
  briefAfter,
  decisionOf,
  failedWith,
  noResponse,
  responded,
  stepAfter,
  successOf,
} from "../../builders/order-step.ts";

const aCancel = anAttempt("cancel", cancelled);
const thenJustDecided = anAttempt("accept", undefined, { isJustDecided: true });
const sentAgain = anAttempt("accept", undefined, { effectId: "effect-1", freshUntil: null });

/** An accept is being sent that the gateway has refused so often, or whose order has failed for so long. */
function sending({ refused = 0, forMs }: { refused?: number; forMs?: number }) {
  const failing = forMs === undefined ? { failures: refused } : { failures: 1, failingSince: afterMs(-forMs) };
  return anOrder({ decision: anAccept(), temporaryRefusals: refused, case: failing });
}

const anHour = defaultTiming.escalateAfterMs;
const later = (dueInMs: number) => ({ state: "checking", dueInMs, queue: null, question: undefined });
const asked = (reason: string) => ({
  state: "awaiting-agent",
  dueInMs: null,
  queue: "agent",
  rule: "check:effect",
  question: "effect-outcome",
  reasons: [reason],
});

describe("an effect that did nothing", () => {
  test.each<[string, string, Parameters<typeof sending>[0], Partial<Brief>]>([
    ["is sent again later when it was refused for now", refusedTemporarily, {}, later(1_000)],
    ["waits longer each time", refusedTemporarily, { refused: 3 }, later(8_000)],
    ["is a person's when refused for now five times", refusedTemporarily, { refused: 4 }, asked("gateway-refused")],
    ["waits for the right credentials", credentialsRefused, { refused: 9, forMs: anHour - 1 }, later(2_000)],
    [
      "is a person's after an hour of wrong credentials",
      credentialsRefused,
      { forMs: anHour },
      asked("credentials-refused"),
    ],
    ["is tried again when it never left", notSent, { refused: 9, forMs: anHour - 1 }, later(2_000)],
    ["is a person's when it could not leave for an hour", notSent, { forMs: anHour }, asked("not-sent")],
    ["is a person's at once when the gateway says FAILED", "desk.gateway_failed", {}, asked("gateway-refused")],
    ["for some references is a person's", mixedResults, {}, asked("mixed-results")],
  ])("%s", (_, code, before, brief) => {
    const saved = { id: "outcome-saved", next: "carried-out", outcome: "failed", ...brief };
    expect(briefAfter(sending(before), responded(failedWith(code)))).toMatchObject(saved);
    expect(briefAfter(sending(before), responded(failedWith(code), aCancel))).toMatchObject(saved);
  });

  test("waits for as long as the gateway asks, and no less than usual", () => {
    const dueInMs = (asksMs: number) =>
      briefAfter(sending({ refused: 3 }), responded(failedWith(refusedTemporarily), undefined, asksMs)).dueInMs;
    expect([900_000, 1].map(dueInMs)).toEqual([900_000, 8_000]);
  });

  test("is shown to people with what the gateway states and how often it was tried", () => {
    const text = (code: string) =>
      decisionOf(stepAfter(sending({ refused: 4 }), responded(failedWith(code, "Busy."))).save)?.reasons[0]?.text;
    expect(text("desk.gateway_failed")).toBe("Busy.");
    expect(text(refusedTemporarily)).toBe("Busy. It was tried 5 times.");
  });
});

describe("an effect", () => {
  test.each([
    ["without a response is looked for in the status", noResponse, undefined, "settling", "accepting", 5_000],
    ["without a response is so as a cancel", noResponse, aCancel, "settling", "cancelling", 5_000],
    ["that succeeded is followed by another look", successOf(), undefined, "load", "accepting", 0],
    [
      "that succeeded when just decided needs no load",
      successOf(),
      thenJustDecided,
      "read after-effect",
      "accepting",
      0,
    ],
  ])("%s", (_, outcome, attempt, next, state, dueInMs) => {
    const brief = { id: "outcome-saved", outcome: outcome.state, next, state, dueInMs };
    expect(briefAfter(sending({}), responded(outcome, attempt))).toMatchObject(brief);
  });

  test.each(["desk.gateway_failed", refusedTemporarily])(
    "that was sent again and failed (%s) is unknown, because the first request may be why",
    (code) => {
      const brief = { id: "resend-outcome-saved", next: "settling", outcome: "unknown", state: "accepting" };
      expect(briefAfter(sending({}), responded(failedWith(code), sentAgain))).toMatchObject({
        ...brief,
        dueInMs: 5_000,
      });
    },
  );

  test("that the gateway has carried out before is a person's", () => {
    const brief = { ...asked("already-carried-out"), next: "decided" };
    expect(briefAfter(sending({}), { kind: "plan-refused", attempt: anAttempt() })).toMatchObject(brief);
  });
});

describe("the refund of a cancel", () => {
  const paid = withOrder(cancelled, { TotalPrice: { BookingCurrencyPrice: 1134.38 }, BookingCurrencyCode: "USD" });
  const attempt = anAttempt("cancel", paid);

  test("is expected to be what was paid while nothing is flown", () => {
    expect(attempt.expectedRefund).toEqual({ amount: "1134.38", currency: "USD", basis: "unused-price" });
    expect(anAttempt("accept").expectedRefund).toBeNull();
  });

  test.each([
    ["1134.38", "as-expected", []],
    ["1200.00", "higher", []],
    ["1000.00", "lower", ["check-refund: refund-lower"]],
    [null, "unknown", ["check-refund: refund-not-stated"]],
  ])("stated as %s is %s and leaves %j", (refundAmount, refund, tasks) => {
    const brief = { outcome: "succeeded", state: "cancelling", refund, tasks };
    expect(briefAfter(sending({}), responded(successOf({ refundAmount }), attempt))).toMatchObject(brief);
  });

  test.each([
    ["7 days after it where EU law applies to the flight", broughtForward, "eu-refund", "2027-02-09"],
    ["by the agency's own 20 days where no law names a term", cancelled, "agency-refund", "2027-02-22"],
  ])("is to be checked %s", (_, body, rule, day) => {
    const { save } = stepAfter(sending({}), responded(successOf(), anAttempt("cancel", body)));
    const dueBy = { rule, at: new Date(`${day}T00:00:00Z`) };
    expect(save).toMatchObject({ ending: { refund: { task: { kind: "check-refund", dueBy } } } });
  });
});
