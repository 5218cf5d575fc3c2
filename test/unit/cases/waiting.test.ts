import { describe, expect, test } from "vitest";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import { whileAskingTraveller } from "../../../src/cases/waiting.ts";

const ranOut = new Date("2027-03-01T12:00:00Z");
const later = new Date("2027-03-01T12:00:01Z");

/** A case about proposal `p1`, of which this is recorded. */
function having(kinds: readonly ("asked" | "informed")[], clockRanOutAt: Date | null = null): OrderContext {
  const travellerContacts = kinds.map((kind) => ({ kind, proposalDigest: "p1", happenedAt: later, answer: null }));
  return { case: { clockRanOutAt }, travellerContacts } as unknown as OrderContext;
}

const withAgent = { state: "awaiting-agent", reviewQueue: "agent" };
const withTraveller = { state: "awaiting-traveller", reviewQueue: null };

describe("a case whose traveller is to be asked", () => {
  test.each([
    ["nobody has done anything", having([])],
    ["they were only informed", having(["informed"])],
    ["the clock has run out", having([], ranOut)],
  ])("needs an agent who asks while %s", (_, context) => {
    expect(whileAskingTraveller(context, "p1", ranOut)).toEqual({ state: "ask-traveller", reviewQueue: "agent" });
  });

  test("needs one for another proposal than they were asked about", () => {
    expect(whileAskingTraveller(having(["asked"]), "p2", null).state).toBe("ask-traveller");
  });

  test("waits for the traveller who was asked until its clock runs out, then needs an agent", () => {
    expect(whileAskingTraveller(having(["asked"]), "p1", ranOut)).toEqual(withTraveller);
    expect(whileAskingTraveller(having(["asked"], ranOut), "p1", ranOut)).toEqual(withAgent);
  });

  test("waits on when another clock counts now, or none", () => {
    expect(whileAskingTraveller(having(["asked"], ranOut), "p1", later)).toEqual(withTraveller);
    expect(whileAskingTraveller(having(["asked"], ranOut), "p1", null)).toEqual(withTraveller);
  });
});
