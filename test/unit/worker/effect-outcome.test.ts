import { describe, expect, test } from "vitest";
import type { EffectAction } from "../../../src/cases/decision.ts";
import { performEffect } from "../../../src/worker/effect-outcome.ts";
import type { GatewayResult } from "../../../src/worker/gateway-ports.ts";
import { result, ScriptedFailure } from "../../harness/scripted-gateway.ts";

const query = { orderId: "QX7R2M1A", gdsBookingReferences: ["A", "B"] };

function resultFor(references: readonly string[], status: string, errorMessage = ""): GatewayResult {
  return { ...result(query, status, errorMessage), gdsBookingReferences: references };
}

async function outcomeOf(results: readonly GatewayResult[], action: EffectAction = "accept") {
  const respond = async () => ({ result: results, body: Buffer.from("{}"), readAt: new Date() });
  return (await performEffect(action, respond, query)).outcome;
}

async function outcomeOfFailure(failure: unknown, action: EffectAction = "accept") {
  const fail = async () => {
    throw failure;
  };
  return await performEffect(action, fail, query);
}

describe("a response to an effect", () => {
  test.each<[string, readonly GatewayResult[]]>([
    ["one result for all references", [resultFor(["A", "B"], "SUCCESS")]],
    ["one for each", [resultFor(["A"], "SUCCESS"), resultFor(["B"], "SUCCESS")]],
    ["one that names none", [resultFor([], "SUCCESS")]],
    ["the same one twice", [resultFor(["A", "B"], "SUCCESS"), resultFor(["A"], "SUCCESS")]],
    ["one that names no order", [{ ...resultFor(["A", "B"], "SUCCESS"), orderId: null }]],
  ])("that says SUCCESS in %s has succeeded", async (_name, results) => {
    expect(await outcomeOf(results)).toMatchObject({ state: "succeeded", error: null });
  });

  test.each<[string, readonly GatewayResult[]]>([
    ["no result", []],
    ["no result for one reference", [resultFor(["A"], "SUCCESS")]],
    ["a reference that nobody asked about", [resultFor(["A", "B", "C"], "SUCCESS")]],
    ["two different results for one reference", [resultFor(["A", "B"], "SUCCESS"), resultFor(["A"], "FAILED")]],
    ["a status that nobody knows", [resultFor(["A", "B"], "PENDING")]],
    ["another order", [{ ...resultFor(["A", "B"], "SUCCESS"), orderId: "OTHER" }]],
  ])("with %s leaves the outcome unknown, with the results kept", async (_name, results) => {
    const outcome = await outcomeOf(results);

    expect(outcome).toMatchObject({ state: "unknown", error: { code: "desk.unclear_results" } });
    expect(outcome.results).toHaveLength(results.length);
  });

  test("with SUCCESS and FAILED is mixed, and keeps both", async () => {
    const outcome = await outcomeOf([resultFor(["A"], "SUCCESS"), resultFor(["B"], "FAILED", "not in this booking")]);

    expect(outcome).toMatchObject({ state: "failed", error: { code: "desk.mixed_results" } });
    expect(outcome.error?.message).toMatch(/^Accepted for A, not for B: /);
    expect(outcome.error?.message).toContain("not in this booking");
    expect(outcome.results?.map(({ status }) => status)).toEqual(["SUCCESS", "FAILED"]);
  });

  test.each([
    ["segment not confirmed", "desk.gateway_failed"],
    ["", "desk.gateway_failed"],
    ["SERVER_ERROR", "desk.refused_for_now"],
    ["SERVER_ERROR: the airline did not respond", "desk.refused_for_now"],
    ["10", "desk.refused_for_now"],
    ["10 passengers are too many", "desk.gateway_failed"],
    ["INVALID_ORDER_ITIN", "desk.gateway_failed"],
  ])("with FAILED and '%s' is %s", async (message, code) => {
    expect(await outcomeOf([resultFor(["A", "B"], "FAILED", message)])).toMatchObject({
      state: "failed",
      error: { code },
    });
  });

  test("is tried again only when every reference may pass", async () => {
    const results = [resultFor(["A"], "FAILED", "SERVER_ERROR"), resultFor(["B"], "FAILED", "not in this booking")];

    expect(await outcomeOf(results)).toMatchObject({ error: { code: "desk.gateway_failed" } });
  });

  test("is never tried again for a cancel that failed behind the gateway", async () => {
    const outcome = await outcomeOf([resultFor(["A", "B"], "FAILED", "SERVER_ERROR")], "cancel");

    expect(outcome).toMatchObject({ state: "failed", error: { code: "desk.gateway_failed" } });
  });
});

describe("an effect without a response", () => {
  test.each([
    ["before-sending", true, "failed", "desk.not_sent"],
    ["unknown", true, "unknown", "gateway.code"],
    ["responded", false, "failed", "gateway.code"],
    ["responded", true, "failed", "desk.refused_for_now"],
  ] as const)("in the phase %s (retryable %s) is %s", async (phase, retryable, state, code) => {
    const failure = new ScriptedFailure(phase, "gateway.code", retryable);

    expect((await outcomeOfFailure(failure)).outcome).toMatchObject({ state, error: { code }, results: null });
    expect((await outcomeOfFailure(failure, "cancel")).outcome).toMatchObject({ state, error: { code } });
  });

  test("for which the credentials were refused has failed without anything done, and may be sent again", async () => {
    const failure = new ScriptedFailure("responded", "gateway.unauthorized");
    const outcome = { state: "failed", error: { code: "desk.credentials_refused" }, results: null };

    expect((await outcomeOfFailure(failure)).outcome).toMatchObject(outcome);
    expect((await outcomeOfFailure(failure, "cancel")).outcome).toMatchObject(outcome);
  });

  test("passes on how long the gateway asks to be left alone", async () => {
    const failure = Object.assign(new ScriptedFailure("responded", "gateway.http_status", true), {
      retryAfterMs: 7_000,
    });

    expect((await outcomeOfFailure(failure)).retryAfterMs).toBe(7_000);
  });

  test("that failed in a way nobody foresaw is unknown", async () => {
    expect((await outcomeOfFailure(new TypeError("x"))).outcome).toMatchObject({ state: "unknown" });
  });
});
