import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { actionOn, call, previewBulk, readText } from "../../../../src/dashboard/web/api/api-client.ts";
import { connection } from "../../../../src/dashboard/web/api/connection.ts";
import { ApiProblem, safeToRepeat } from "../../../../src/dashboard/web/api/send-request.ts";
import { callGateway, gatewaySession } from "../../../../src/dashboard/web/gateway/gateway-api.ts";

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  // It would ask the server again and again, and hold back the requests of the tests that follow.
  vi.spyOn(connection, "doubt").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function problemOf(request: Promise<unknown>): Promise<ApiProblem> {
  const problem: unknown = await request.catch((error: unknown) => error);
  if (!(problem instanceof ApiProblem)) throw new Error("The request did not fail with an ApiProblem");
  return problem;
}

describe("a request that gets no response", () => {
  const accept = { action: "accept", version: 1 } as const;
  const bulk = { command: { action: "accept" }, caseIds: ["c1"] } as const;

  test.each([
    ["an action on a case", () => call("POST /cases/{id}/actions", actionOn("c1", accept))],
    [
      "the start of a bulk action",
      () => call("POST /bulk-actions", { body: { ...bulk, caseIds: ["c1"], versions: { c1: 1 }, dryRun: false } }),
    ],
    ["the removal of a recipient", () => callGateway("DELETE /recipients/{id}", { params: { id: "r1" } })],
    ["the start of a resend", () => callGateway("POST /replays", { body: { state: "dead", force: false } })],
  ])("may have had its effect if it is %s, and the message says so", async (_, request) => {
    const problem = await problemOf(request());

    expect(connection.doubt).toHaveBeenCalledTimes(1);
    expect(problem.isOutcomeUnknown).toBe(true);
    expect(problem.message).toBe(
      "No response came, so it may or may not have been done. Check your connection and look again before you repeat it.",
    );
  });

  test.each([
    ["reads a case", () => call("GET /cases/{id}", { params: { id: "c1" } })],
    ["reads a stored body", () => readText("/notifications/n1/body")],
    ["previews a bulk action", () => previewBulk({ ...bulk, caseIds: ["c1"] })],
    ["previews a resend", () => callGateway("POST /replays", { body: { state: "dead", preview: true } }, safeToRepeat)],
    ["signs in", () => call("POST /session", { body: { username: "ana", password: "a good password" } })],
    ["signs in at the gateway", () => gatewaySession.signIn("a token")],
  ])("can safely be repeated if it %s, and the message says so", async (_, request) => {
    const problem = await problemOf(request());

    expect(problem.isOutcomeUnknown).toBe(false);
    expect(problem.message).toBe("The server cannot be reached. Check your connection and try again.");
  });
});
