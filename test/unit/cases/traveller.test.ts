import { describe, expect, test } from "vitest";
import type { TravellerContact } from "../../../src/cases/order-context.ts";
import { travellerStateFor } from "../../../src/cases/traveller.ts";

const at = (hours: number) => new Date(Date.UTC(2027, 2, 1, hours));

function contact(kind: TravellerContact["kind"], hours: number, changes: Partial<TravellerContact> = {}) {
  return { kind, proposalDigest: "now", happenedAt: at(hours), answer: null, ...changes } as const;
}

describe("what the traveller knows and wants of a proposal", () => {
  test("is nothing when nothing was recorded", () => {
    expect(travellerStateFor("now", [])).toEqual({
      informedAt: null,
      isAsked: false,
      answer: null,
      refundWantedSince: null,
    });
  });

  test("is known from when they were first informed, in whatever order that was recorded", () => {
    const contacts = [contact("informed", 5), contact("informed", 3), contact("answered", 4, { answer: "undecided" })];

    expect(travellerStateFor("now", contacts).informedAt).toEqual(at(3));
  });

  test("is known to who answered, and not to who was only asked", () => {
    expect(travellerStateFor("now", [contact("asked", 1)]).informedAt).toBeNull();
    expect(travellerStateFor("now", [contact("answered", 2, { answer: "refuses" })]).informedAt).toEqual(at(2));
  });

  test.each([
    ["accepts", "accept"],
    ["refuses", "refuse"],
    ["wants-refund", "refund"],
    ["wants-rerouting", "reroute"],
  ] as const)("%s is %s in the words of a policy", (answer, choice) => {
    expect(travellerStateFor("now", [contact("answered", 2, { answer })]).answer).toEqual({ choice, at: at(2) });
  });

  test("is the newest answer, by when it was given", () => {
    const contacts = [
      contact("answered", 4, { answer: "wants-refund" }),
      contact("answered", 2, { answer: "accepts" }),
    ];

    expect(travellerStateFor("now", contacts).answer?.choice).toBe("refund");
  });

  test("is the one recorded last of two answers at the same time", () => {
    const contacts = [
      contact("answered", 2, { answer: "accepts" }),
      contact("answered", 2, { answer: "wants-refund" }),
    ];

    expect(travellerStateFor("now", contacts).answer?.choice).toBe("refund");
  });

  test("is open again when they have not decided after all", () => {
    const contacts = [contact("answered", 2, { answer: "accepts" }), contact("answered", 3, { answer: "undecided" })];

    expect(travellerStateFor("now", contacts).answer).toBeNull();
  });

  test("is a refund since they first asked for it, in whatever order that was recorded", () => {
    const [first, again] = [3, 5].map((hours) => contact("answered", hours, { answer: "wants-refund" }));

    expect(travellerStateFor("now", [again!, first!, contact("informed", 6)]).refundWantedSince).toEqual(at(3));
  });

  test("is a refund anew when they wanted something else, or did not know, in between", () => {
    for (const answer of ["accepts", "undecided"] as const) {
      const contacts = [
        contact("answered", 2, { answer: "wants-refund" }),
        contact("answered", 3, { answer }),
        contact("answered", 4, { answer: "wants-refund" }),
      ];

      expect(travellerStateFor("now", contacts).refundWantedSince).toEqual(at(4));
      expect(travellerStateFor("now", contacts.slice(0, 2)).refundWantedSince).toBeNull();
    }
  });

  test.each([["before"], [null]])("does not come from an answer about another proposal (%s)", (proposalDigest) => {
    const contacts = [
      contact("informed", 1, { proposalDigest }),
      contact("answered", 2, { answer: "accepts", proposalDigest }),
    ];

    expect(travellerStateFor("now", contacts)).toEqual({
      informedAt: null,
      isAsked: false,
      answer: null,
      refundWantedSince: null,
    });
  });

  test.each([
    ["asked", [contact("asked", 1)], true],
    ["asked and then only informed", [contact("asked", 1), contact("informed", 2)], true],
    ["asked and undecided", [contact("asked", 1), contact("answered", 2, { answer: "undecided" })], true],
    ["asked and answered", [contact("asked", 1), contact("answered", 2, { answer: "refuses" })], false],
    ["asked again after an answer", [contact("answered", 1, { answer: "refuses" }), contact("asked", 2)], true],
    ["asked about another proposal", [contact("asked", 1, { proposalDigest: "before" })], false],
    ["informed", [contact("informed", 1)], false],
  ])("is awaited from who was %s", (_, contacts, isAsked) => {
    expect(travellerStateFor("now", contacts).isAsked).toBe(isAsked);
  });
});
