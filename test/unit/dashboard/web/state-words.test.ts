import { describe, expect, test } from "vitest";
import { describeActor, describeDecider } from "../../../../src/dashboard/web/labels/state-words.ts";

const version = "3f2a9c1b0d12".padEnd(64, "0");

describe("an actor", () => {
  test.each([
    ["person:ann", null, "ann"],
    ["person:ann", "night desk", "token night desk of ann"],
    ["person:api", null, "token API_TOKEN"],
    ["worker", null, "Skedchange"],
  ])("%s with the token %s is shown as %s", (actor, token, shown) => {
    expect(describeActor(actor, token)).toBe(shown);
  });
});

describe("who made a decision", () => {
  test.each([
    [
      "is the policy with its name and version",
      "policy",
      { policy: version, policyName: "cautious" },
      "policy cautious 3f2a9c1b0d12",
    ],
    ["is the policy with its version if it has no name", "policy", { policy: version }, "policy 3f2a9c1b0d12"],
    ["is the policy if no version is known", "policy", {}, "the policy"],
    ["is a person, whatever version they saw", "person:ann", { policy: version }, "ann"],
  ])("%s", (_, decidedBy, versions, shown) => {
    expect(describeDecider({ decidedBy, token: null, versions })).toBe(shown);
  });
});
