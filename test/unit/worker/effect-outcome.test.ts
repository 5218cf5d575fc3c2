import { describe, expect, test } from "@jest/globals";
import type { EffectAction } from "../../../src/cases/decision.ts";
import { performEffect } from "../../../src/worker/effect-outcome.ts";
import type { GatewayResult } from "../../../src/worker/ports.ts";
import { result, ScriptedFailure } from "../../harness/scripted-gateway.ts";

const query = { orderId: "QX7R2M1A", gdsBookingReferences: ["A", "B"] };

function answer(references: readonly string[], status: string, errorMessage = ""): GatewayResult {
  return { ...result(query, status, errorMessage), gdsBookingReferences: references };
}

async function outcomeOf(results: readonly GatewayResult[], action: EffectAction = "accept") {
  const answered = async () => ({ answer: results, body: Buffer.from("{}"), readAt: new Date() });
  return (await performEffect(action, answered, query)).outcome;
}

async function outcomeOfFailure(failure: unknown, action: EffectAction = "accept") {
  const fail = async () => {
    throw failure;
  };
  return await performEffect(action, fail, query);
}

describe("an answer to an effect", () => {
  test.each<[string, readonly GatewayResult[]]>([
    ["one result for all references", [answer(["A", "B"], "SUCCESS")]],
    ["one for each", [answer(["A"], "SUCCESS"), answer(["B"], "SUCCESS")]],
    ["one that names none", [answer([], "SUCCESS")]],
    ["the same one twice", [answer(["A", "B"], "SUCCESS"), answer(["A"], "SUCCESS")]],
    ["one that names no order", [{ ...answer(["A", "B"], "SUCCESS"), orderId: null }]],
  ])("that says SUCCESS in %s has succeeded", async (_name, results) => {
    expect(await outcomeOf(results)).toMatchObject({ state: "succeeded", error: null });
  });

  test.each<[string, readonly GatewayResult[]]>([
    ["no result", []],
    ["no result for one reference", [answer(["A"], "SUCCESS")]],
    ["a reference that nobody asked about", [answer(["A", "B", "C"], "SUCCESS")]],
    ["two different results for one reference", [answer(["A", "B"], "SUCCESS"), answer(["A"], "FAILED")]],
    ["a status that nobody knows", [answer(["A", "B"], "PENDING")]],
    ["another order", [{ ...answer(["A", "B"], "SUCCESS"), orderId: "OTHER" }]],
  ])("with %s leaves the outcome unknown, with the results kept", async (_name, results) => {
    const outcome = await outcomeOf(results);

    expect(outcome).toMatchObject({ state: "unknown", error: { code: "desk.unclear_results" } });
    expect(outcome.results).toHaveLength(results.length);
  });

  test("with SUCCESS and FAILED is mixed, and keeps both", async () => {
    const outcome = await outcomeOf([answer(["A"], "SUCCESS"), answer(["B"], "FAILED", "not in this booking")]);

    expect(outcome).toMatchObject({ state: "failed", error: { code: "desk.mixed_results" } });
    expect(outcome.error?.message).toContain("not in this booking");
    expect(outcome.results?.map(({ status }) => status)).toEqual(["SUCCESS", "FAILED"]);
  });

  test.each([
    ["segment not confirmed", "desk.gateway_failed"],
    ["", "desk.gateway_failed"],
    ["SERVER_ERROR", "desk.refused_for_now"],
    ["SERVER_ERROR: the airline did not answer", "desk.refused_for_now"],
    ["10", "desk.refused_for_now"],
    ["10 passengers are too many", "desk.gateway_failed"],
    ["INVALID_ORDER_ITIN", "desk.gateway_failed"],
  ])("with FAILED and '%s' is %s", async (message, code) => {
    expect(await outcomeOf([answer(["A", "B"], "FAILED", message)])).toMatchObject({
      state: "failed",
      error: { code },
    });
  });

  test("is tried again only when every reference may pass", async () => {
    const results = [answer(["A"], "FAILED", "SERVER_ERROR"), answer(["B"], "FAILED", "not in this booking")];

    expect(await outcomeOf(results)).toMatchObject({ error: { code: "desk.gateway_failed" } });
  });

  test("is never tried again for a cancel that failed behind the gateway", async () => {
    const outcome = await outcomeOf([answer(["A", "B"], "FAILED", "SERVER_ERROR")], "cancel");

    expect(outcome).toMatchObject({ state: "failed", error: { code: "desk.gateway_failed" } });
  });
});

describe("an effect without an answer", () => {
  test.each([
    ["before-sending", true, "failed", "desk.not_sent"],
    ["unknown", true, "unknown", "gateway.code"],
    ["answered", false, "failed", "gateway.code"],
    ["answered", true, "failed", "desk.refused_for_now"],
  ] as const)("in the phase %s (retryable %s) is %s", async (phase, retryable, state, code) => {
    const failure = new ScriptedFailure(phase, "gateway.code", retryable);

    expect((await outcomeOfFailure(failure)).outcome).toMatchObject({ state, error: { code }, results: null });
    expect((await outcomeOfFailure(failure, "cancel")).outcome).toMatchObject({ state, error: { code } });
  });

  test("for which the credentials were refused has failed without anything done, and may be sent again", async () => {
    const failure = new ScriptedFailure("answered", "gateway.unauthorized");
    const outcome = { state: "failed", error: { code: "desk.credentials_refused" }, results: null };

    expect((await outcomeOfFailure(failure)).outcome).toMatchObject(outcome);
    expect((await outcomeOfFailure(failure, "cancel")).outcome).toMatchObject(outcome);
  });

  test("passes on how long the gateway asks to be left alone", async () => {
    const failure = Object.assign(new ScriptedFailure("answered", "gateway.http_status", true), {
      retryAfterMs: 7_000,
    });

    expect((await outcomeOfFailure(failure)).retryAfterMs).toBe(7_000);
  });

  test("that failed in a way nobody foresaw is unknown", async () => {
    expect((await outcomeOfFailure(new TypeError("x"))).outcome).toMatchObject({ state: "unknown" });
  });
});
