import { describe, expect, test } from "vitest";
import { usedFacts } from "../../../../src/cases/used-facts.ts";
import { adviseOnRights } from "../../../../src/dashboard/web/case/legal-words.ts";
import { known, unknown } from "../../../../src/kernel/fact.ts";

type Verdict = Parameters<typeof adviseOnRights>[0][number];

const refund: Verdict = {
  preset: "eu-261",
  trigger: "brought-forward",
  title: "Leaves more than one hour earlier",
  right: "refund-or-rerouting",
  verdict: "entitled",
  journey: "BCN-YYZ",
  unknownFact: null,
  because: "leaves 155 min earlier (limit: more than 1 h)",
  paragraph: "Art 5(1)(a)",
  citation: "Regulation (EC) No 261/2004",
  note: null,
  amount: null,
  clocks: [
    { name: "traveller-told-14-days", dueAt: "2027-05-27T10:15:00.000Z", rule: "is told two weeks before" },
    { name: "eu-refund", dueAt: null, rule: "7 days after the choice" },
  ],
};
const downgrade: Verdict = {
  ...refund,
  trigger: "downgraded",
  title: "A lower cabin",
  right: "partial-refund",
  verdict: "cannot-tell",
  unknownFact: "cabinDowngraded",
  because: "cabinDowngraded is not known (unknown-cabin)",
  clocks: [],
};

describe("the advice on rights", () => {
  test("says what to offer and until when, then why, once for all triggers of a right", () => {
    const again = { ...refund, trigger: "renumbered", verdict: "cannot-tell", title: "Another flight number" } as const;
    const none = { ...refund, verdict: "not-entitled", journey: null } as const;

    expect(adviseOnRights([none, again, refund])).toEqual([
      {
        key: "eu-261 refund-or-rerouting BCN-YYZ",
        isCertain: true,
        advice: "Offer a refund or another flight (EU261, BCN-YYZ).",
        deadlines: [refund.clocks[0]],
        reasons: [
          expect.objectContaining({ text: expect.stringMatching(/^Another flight number: /) }),
          {
            text: "Leaves more than one hour earlier: leaves 155 min earlier (limit: more than 1 h).",
            source: "Regulation (EC) No 261/2004, Art 5(1)(a)",
            note: null,
          },
        ],
      },
    ]);
  });

  test("puts certain rights first, and names unknown facts of earlier decisions in words", () => {
    const [first, second] = adviseOnRights([downgrade, refund]);

    expect(first!.isCertain).toBe(true);
    expect(second!.advice).toBe("Check before you accept: a partial refund may be due (EU261, BCN-YYZ).");
    expect(second!.reasons[0]!.text).toBe(
      "A lower cabin: “Cabin downgraded” is not known (a cabin is missing or not a known one).",
    );
  });

  test("states an amount with its currency", () => {
    const amount = { value: "600", currency: "EUR", mayBeReducedTo: null };

    expect(adviseOnRights([{ ...refund, right: "compensation", amount }])[0]!.advice).toBe(
      "Offer compensation of EUR 600 per passenger (EU261, BCN-YYZ).",
    );
  });
});

describe("the facts that were used", () => {
  type Used = Parameters<typeof usedFacts>[0];
  const rule = (outcome: string, ...names: readonly string[]) => ({
    rule: outcome,
    action: "review",
    outcome,
    checks: [],
    reads: Object.fromEntries(names.map((name) => [name, known(true)])),
  });
  const having = (facts: object): Used =>
    ({
      facts,
      severityFacts: ["departureLaterMinutes"],
      decisions: [
        { trace: null, legal: { verdicts: [downgrade] } },
        {
          trace: [
            rule("not-matched", "dataSuspect"),
            rule("unknown", "partlyFlown"),
            rule("matched", "held", "sinceAcceptedDepartureLaterMinutes"),
          ],
        },
      ],
    }) as unknown as Used;

  test("are those of the rule that decided, of rules that could not be judged, of the severity and of the law", () => {
    const used = usedFacts(having({ departureLaterMinutes: known(31), sinceAcceptedDepartureLaterMinutes: known(61) }));

    expect([...used].toSorted()).toEqual([
      ...["cabinDowngraded", "departureLaterMinutes", "held", "partlyFlown", "sinceAcceptedDepartureLaterMinutes"],
    ]);
  });

  test("leave out what says the same as another", () => {
    const same = { departureLaterMinutes: known(31), sinceAcceptedDepartureLaterMinutes: known(31) };
    const both = { departureLaterMinutes: unknown("x"), sinceAcceptedDepartureLaterMinutes: unknown("x") };

    expect(usedFacts(having(same)).has("sinceAcceptedDepartureLaterMinutes")).toBe(false);
    expect(usedFacts(having(both)).has("sinceAcceptedDepartureLaterMinutes")).toBe(false);
  });
});
