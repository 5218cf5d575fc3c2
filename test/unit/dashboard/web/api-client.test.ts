import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ApiProblem, api } from "../../../../src/dashboard/web/api/api-client.ts";
import { connection } from "../../../../src/dashboard/web/api/connection.ts";
import { gatewayApi } from "../../../../src/dashboard/web/gateway/gateway-api.ts";

beforeEach(() => {
  jest.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  // It would ask the server again and again, and hold back the requests of the tests that follow.
  jest.spyOn(connection, "doubt").mockReturnValue();
});
afterEach(() => {
  jest.restoreAllMocks();
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
    ["an action on a case", () => api.act("c1", accept)],
    ["the start of a bulk action", () => api.startBulk({ ...bulk, caseIds: ["c1"] }, { c1: 1 })],
    ["the removal of a recipient", () => gatewayApi.removeRecipient("r1")],
    ["the start of a resend", () => gatewayApi.startResend({ state: "dead" }, false)],
  ])("may have had its effect if it is %s, and the message says so", async (_, request) => {
    const problem = await problemOf(request());

    expect(connection.doubt).toHaveBeenCalledTimes(1);
    expect(problem.isOutcomeUnknown).toBe(true);
    expect(problem.message).toBe(
      "No response came, so it may or may not have been done. Check your connection and look again before you repeat it.",
    );
  });

  test.each([
    ["reads a case", () => api.readCase("c1")],
    ["reads a stored body", () => api.readNotificationBody("n1")],
    ["previews a bulk action", () => api.previewBulk({ ...bulk, caseIds: ["c1"] })],
    ["previews a resend", () => gatewayApi.previewResend({ state: "dead" })],
    ["signs in", () => api.signIn({ username: "ana", password: "a good password" })],
    ["signs in at the gateway", () => gatewayApi.signIn("a token")],
  ])("can safely be repeated if it %s, and the message says so", async (_, request) => {
    const problem = await problemOf(request());

    expect(problem.isOutcomeUnknown).toBe(false);
    expect(problem.message).toBe("The server cannot be reached. Check your connection and try again.");
  });
});
