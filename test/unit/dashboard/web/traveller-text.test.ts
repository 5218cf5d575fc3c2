import { describe, expect, test } from "vitest";
import { languages } from "../../../../src/dashboard/web/case/traveller-texts/languages.ts";
import {
  changeKinds,
  closings,
  type TravellerTexts,
  tellableChange,
  travellerText,
} from "../../../../src/dashboard/web/case/traveller-texts/traveller-text.ts";
import { known } from "../../../../src/kernel/fact.ts";
import { legalPresets } from "../../../../src/policy/legal/presets.ts";

type Subject = Parameters<typeof tellableChange>[0];

const english = languages["en"]!;
const digest = "a".repeat(64);

const toFrankfurt = flight("LH1167", ["LIS", "2026-12-06", "06:05"], ["FRA", "2026-12-06", "10:15"]);
const later = flight("LH1167", ["LIS", "2026-12-06", "06:36"], ["FRA", "2026-12-06", "10:46"]);
const toNewYork = flight("LH400", ["FRA", "2026-12-06", "23:10"], ["JFK", "2026-12-07", "02:05"]);

const retimed = { ...pair("retimed", [toFrankfurt], [later]), ...shiftsOf(31, 31) };
const sameFlight = pair("unchanged", [toNewYork], [toNewYork]);
const back = { origin: "JFK", destination: "LIS", isChanged: false, flights: [sameFlight] };

describe("what travellers can be informed of", () => {
  test.each([
    ["cancelled", [pair("removed", [toFrankfurt], []), pair("removed", [toNewYork], [])]],
    ["withdrawn", [pair("removed", [toFrankfurt], []), sameFlight]],
    ["other-flight", [pair("replaced", [toFrankfurt], [{ ...later, marketingFlightNumber: "1169" }]), sameFlight]],
    ["retimed", [retimed, pair("amended", [toNewYork], [toNewYork])]],
    ["details", [pair("amended", [toFrankfurt], [toFrankfurt]), sameFlight]],
  ])("is the worst that happens to the flights: %s", (kind, flights) => {
    expect(tellableChange(having({ difference: differenceOf(flights) }))).toMatchObject({ kind });
  });

  test("is a connection that can't be made, before new times", () => {
    expect(tellableChange(missed)).toEqual({ kind: "connection", closings: ["answer"] });
  });

  test("announces an accept only where accepting is possible and not dangerous", () => {
    const gone = differenceOf([pair("removed", [toFrankfurt], [])]);

    expect(tellableChange(having({}))).toMatchObject({ closings: ["accept", "answer"] });
    expect(tellableChange(having({ decision: { id: "d1", action: "ask-traveller" } }))).toMatchObject({
      closings: ["answer", "accept"],
    });
    for (const members of [
      { flags: null },
      { flags: { accept: known("N") } },
      { difference: gone },
      { decisions: [{ id: "d1", legal: { hold: { held: true, reasons: [] }, verdicts: [] } }] },
    ]) {
      expect(tellableChange(having(members))).toMatchObject({ closings: ["answer"] });
    }
  });

  test("says that it is accepted only after this proposal was", () => {
    const accept = { action: "accept", state: "succeeded", proposalDigest: digest };

    expect(tellableChange(having({ effects: [accept] }))).toMatchObject({ closings: ["accepted"] });
    expect(tellableChange(having({ effects: [{ ...accept, state: "unknown" }] }))).not.toMatchObject({
      closings: ["accepted"],
    });
    expect(tellableChange(having({ effects: [{ ...accept, proposalDigest: "b".repeat(64) }] }))).not.toMatchObject({
      closings: ["accepted"],
    });
  });

  test("never asks for agreement to flights that are accepted already, whoever accepted them", () => {
    const reasons = [{ code: "accepted-other-flights", text: "" }];
    const accepted = { scheduleChangeStatus: known("Accepted") };

    for (const members of [
      { decisions: [{ id: "d1", proposalDigest: digest, reasons }] },
      { facts: accepted, flags: { accept: known("N") } },
    ]) {
      expect(tellableChange(having(members))).toMatchObject({ closings: ["accepted"] });
    }
    expect(tellableChange(having({ facts: accepted }))).toMatchObject({ closings: ["accept", "answer"] });
  });

  test("is nothing as long as what was read after an accept contradicts it", () => {
    const effects = [{ action: "accept", state: "succeeded", proposalDigest: digest }];
    const reasons = [{ code: "documents-show-other-flights", text: "The ticket documents list other flights." }];

    expect(tellableChange(having({ effects, tasks: [{ closedAt: null, reasons }] }))).toEqual({
      obstacle: "What is read afterwards contradicts what was carried out. Check with the airline first.",
    });
    expect(tellableChange(having({ effects, tasks: [{ closedAt: "2026-12-01", reasons }] }))).toMatchObject({
      closings: ["accepted"],
    });
  });

  test("is a question how to proceed, after the travellers refused", () => {
    const answered = (answer: string) => ({
      travellerContacts: [{ kind: "answered", answer, proposalDigest: digest }],
    });

    for (const answer of ["refuses", "wants-refund", "wants-rerouting"]) {
      expect(tellableChange(having(answered(answer)))).toMatchObject({ closings: ["answer"] });
      expect(textOf(answered(answer)).body).toContain(english.closing.decide);
    }
    expect(tellableChange(having(answered("accepts")))).toMatchObject({ closings: ["accept", "answer"] });
  });

  test("is that the order was cancelled here, after a cancel, whatever happened before and to the flights", () => {
    const cancel = { action: "cancel", state: "succeeded", proposalDigest: digest };

    for (const members of [{}, { effects: [cancel, { ...cancel, action: "accept" }] }, { difference: null }]) {
      expect(tellableChange(having({ effects: [cancel], ...members }))).toEqual({
        kind: "order-cancelled",
        closings: ["order-cancelled"],
      });
    }
  });

  test("is nothing when no change is known, or the data is impossible", () => {
    for (const members of [
      { difference: null },
      { difference: differenceOf([sameFlight]) },
      { facts: { dataSuspect: known(true) } },
    ]) {
      expect(tellableChange(having(members))).toEqual({ obstacle: expect.any(String) });
    }
  });
});

describe("the text for travellers", () => {
  test("has booked and proposed flights in local times", () => {
    expect(textOf({}, { firstNames: ["Ana", "Rui"] })).toEqual({
      subject: "Your flights LIS–JFK on Sun, 6 December 2026: new times",
      body: `Dear Ana and Rui,

The airline has changed the times of your flights. The airline may have written to you about this as well.

Booked: LH1167, Sun, 6 December 2026: LIS 06:05 – FRA 10:15
New: LH1167, Sun, 6 December 2026: LIS 06:36 – FRA 10:46
(departs 31 min later, arrives 31 min later)

Unchanged: LH400, Sun, 6 December 2026: FRA 23:10 – JFK 02:05 (Mon, 7 December 2026)

All times are local at each airport. Your other flights stay as booked.

If this suits you, you do not need to do anything: we will accept the change for you. If it does not, please let us know as soon as possible.

Kind regards
`,
      unknowns: 0,
    });
  });

  test("shows what is not known in brackets and never makes it up", () => {
    const unclear = { ...later, marketingFlightNumber: null, arrival: { ...later.arrival, time: null } };
    const { body, unknowns } = textOf({
      difference: differenceOf([pair("replaced", [toFrankfurt], [unclear])]),
    });

    expect(body).toContain("New: [flight number not known], Sun, 6 December 2026: LIS 06:36 – FRA [time not known]");
    expect(body).toMatch(/^Hello,/);
    expect(unknowns).toBe(2);
  });

  test("names terminals, other operators, and changes that the line of a flight does not show", () => {
    const other = {
      ...toFrankfurt,
      operatingCarrier: "CL",
      departure: { ...toFrankfurt.departure, terminal: "2" },
    };
    const changed = ["operatingCarrier", "departure.terminal", "aircraftCode", "cabinType"];

    expect(textOf({ difference: differenceOf([pair("amended", [toFrankfurt], [other], changed)]) }).body).toContain(
      `New: LH1167, operated by CL, Sun, 6 December 2026: LIS (Terminal 2) 06:05 – FRA 10:15
Also changed: aircraft type and cabin`,
    );
  });

  test.each([
    [[135, 60], "(departs 2 h 15 min later, arrives 1 h later)"],
    [[-5, 0], "(departs 5 min earlier)"],
    [[null, -120], "(arrives 2 h earlier)"],
  ] as const)("says in hours and minutes how far times move: %j", ([departure, arrival], words) => {
    const moved = { ...pair("retimed", [toFrankfurt], [later]), ...shiftsOf(departure, arrival) };

    expect(textOf({ difference: differenceOf([moved]) }).body).toContain(`FRA 10:46\n${words}\n`);
  });

  test("says nothing of moved times where it is not known by how much, or nothing moves", () => {
    for (const minutes of [null, 0]) {
      const moved = { ...pair("replaced", [toFrankfurt], [later]), ...shiftsOf(minutes, minutes) };

      expect(textOf({ difference: differenceOf([moved]) }).body).not.toMatch(/later|earlier/);
    }
  });

  test("says how short a connection is", () => {
    expect(
      travellerText({ subject: missed, kind: "connection", closing: "answer", firstNames: [], texts: english }).body,
    ).toContain("At FRA you would have 15 min to change flights; the minimum is 1 h 15 min.");
  });

  test("says between which airports nothing flies", () => {
    const gap = { airport: "MUC", nextAirport: "FRA", minutes: null, minimumMinutes: null, state: "no-flight" };
    const timed = [{ booked: { flights: [], connections: [] }, proposed: { flights: [], connections: [gap] } }];

    expect(textOf({ journeyTimes: timed }).body).toContain("There is no flight from MUC to FRA.");
  });

  test("names a right only when the law says that it is due", () => {
    const verdict = {
      preset: "eu-261",
      right: "refund-or-rerouting",
      verdict: "entitled",
      journey: "LIS-JFK",
      amount: null,
    };
    const compensation = { ...verdict, right: "compensation", amount: { value: "600.00", currency: "EUR" } };
    const withVerdicts = (...verdicts: readonly object[]) => ({
      decisions: [{ id: "d1", legal: { hold: { held: false, reasons: [] }, verdicts } }],
    });

    expect(textOf(withVerdicts(verdict, verdict)).body.match(/Under EU261 .*/g)).toEqual([
      "Under EU261 you may choose between a refund and another flight (LIS–JFK).",
    ]);
    expect(textOf(withVerdicts(compensation)).body).toContain(
      "Under EU261 you are entitled to compensation of EUR 600.00 per passenger (LIS–JFK).",
    );
    for (const none of ["cannot-tell", "not-entitled"]) {
      expect(textOf(withVerdicts({ ...verdict, verdict: none }, { ...compensation, verdict: none })).body).not.toMatch(
        /refund|compensation|EU261/,
      );
    }
    expect(textOf({}).body).not.toMatch(/refund|compensation/);
  });

  test("after a cancel says that the booking is cancelled, and nothing of new flights or of an accept", () => {
    const { subject, body } = textOf({ effects: [{ action: "cancel", state: "succeeded", proposalDigest: digest }] });

    expect(subject).toBe("Your booking LIS–JFK on Sun, 6 December 2026 is cancelled");
    expect(body).toBe(`Hello,

Your booking is cancelled. These flights were booked:

Booked: LH1167, Sun, 6 December 2026: LIS 06:05 – FRA 10:15
Booked: LH400, Sun, 6 December 2026: FRA 23:10 – JFK 02:05 (Mon, 7 December 2026)
Booked: LH400, Sun, 6 December 2026: FRA 23:10 – JFK 02:05 (Mon, 7 December 2026)

All times are local at each airport.

We have cancelled this booking. Please contact us about the refund, or if you would like other flights.

Kind regards
`);
  });

  test("speaks of no choice of a refund once the change is accepted", () => {
    const verdict = {
      preset: "eu-261",
      right: "refund-or-rerouting",
      verdict: "entitled",
      journey: null,
      amount: null,
    };
    const subject = having({
      decisions: [{ id: "d1", legal: { hold: { held: false, reasons: [] }, verdicts: [verdict] } }],
    });

    const { body } = travellerText({ subject, kind: "retimed", closing: "accepted", firstNames: [], texts: english });

    expect(body).not.toContain("refund");
  });
});

describe.each(Object.keys(languages))("in %s", (code) => {
  const texts = languages[code]!;

  test("every sentence has the placeholders that it has in English", () => {
    expect(placeholdersOf(texts)).toEqual(placeholdersOf(english));
  });

  test.each(changeKinds.flatMap((kind) => closings.map((closing) => [kind, closing] as const)))(
    "%s, %s: each placeholder is filled",
    (kind, closing) => {
      const rights = Object.keys(texts.rights).flatMap((right) => [
        { preset: "eu-261", right, verdict: "entitled", journey: "LIS-JFK", amount: null },
        { preset: "eu-261", right, verdict: "entitled", journey: null, amount: { value: "600", currency: "EUR" } },
      ]);
      const subject = having({
        ...missed,
        decisions: [{ id: "d1", legal: { hold: { held: false, reasons: [] }, verdicts: rights } }],
      });

      const { subject: line, body } = travellerText({ subject, kind, closing, firstNames: ["Ana"], texts });

      expect(line + body).not.toMatch(/[{}]|undefined|null/);
      expect(line + body).not.toContain("X8Q2LM");
      expect(line).toContain("LIS–JFK");
      expect(body).toContain("Ana");
    },
  );

  test.each([
    ["a connection that can't be made", () => missed],
    ["a connection that can't be made by the facts", () => having({ facts: { connectionBroken: known(true) } })],
    [
      "a flight that is gone",
      () => having({ difference: differenceOf([pair("removed", [toFrankfurt], []), sameFlight]) }),
    ],
  ])("never says that nothing is to be done beside %s", (_, build) => {
    const members = build();
    const accepted = { ...members, effects: [{ action: "accept", state: "succeeded", proposalDigest: digest }] };
    for (const subject of [members, accepted as unknown as Subject]) {
      const change = tellableChange(subject);
      if ("obstacle" in change) throw new Error(change.obstacle);
      for (const closing of change.closings) {
        const { body } = travellerText({ subject, kind: change.kind, closing, firstNames: [], texts });

        expect(body).not.toContain(texts.closing.accepted);
        expect(body).not.toContain(texts.closing.accept);
        expect(body).toContain(texts.closing[subject === members ? "decide" : "acceptedBroken"]);
      }
    }
  });

  test("says that the airline may have written too, unless the order was cancelled here", () => {
    const bodyOf = (kind: (typeof changeKinds)[number]) =>
      travellerText({ subject: having({}), kind, closing: "answer", firstNames: [], texts }).body;

    for (const kind of changeKinds) {
      expect(bodyOf(kind).includes(texts.airlineWroteToo)).toBe(kind !== "order-cancelled");
    }
  });

  test("every right that a law gives has a sentence", () => {
    const rights = new Set(legalPresets.flatMap(({ triggers }) => triggers.map(({ right }) => right)));

    expect(Object.keys(texts.rights)).toEqual(expect.arrayContaining([...rights]));
  });
});

/** Waits with a retiming that can be accepted; the way back stays as booked. */
function having(members: object): Subject {
  return {
    decision: { id: "d1", action: "review", rule: "retiming-beyond-limits", reasons: [] },
    decisions: [],
    difference: differenceOf([retimed, sameFlight]),
    effects: [],
    facts: null,
    flags: { accept: known("Y") },
    gdsBookingReferences: ["X8Q2LM"],
    journeyTimes: [],
    proposalDigest: digest,
    tasks: [],
    travellerContacts: [],
    ...members,
  } as unknown as Subject;
}

const missed = having({
  journeyTimes: [
    {
      booked: { flights: [], connections: [] },
      proposed: {
        flights: [],
        connections: [{ airport: "FRA", nextAirport: "FRA", minutes: 15, minimumMinutes: 75, state: "broken" }],
      },
    },
  ],
});

function textOf(members: object, { firstNames = [] }: { readonly firstNames?: readonly string[] } = {}) {
  const subject = having(members);
  const change = tellableChange(subject);
  if ("obstacle" in change) throw new Error(change.obstacle);
  return travellerText({ subject, kind: change.kind, closing: change.closings[0]!, firstNames, texts: english });
}

function differenceOf(flights: readonly object[]) {
  return { journeys: [{ origin: "LIS", destination: "JFK", isChanged: flights.some(isChanged), flights }, back] };
}

function isChanged(flights: object): boolean {
  return !("action" in flights) || flights.action !== "unchanged";
}

function pair(action: string, before: readonly object[], after: readonly object[], changed: readonly string[] = []) {
  const marked = (flights: readonly object[]) => flights.map((one) => ({ flight: one, changed }));
  return { action, before: marked(before), after: marked(after), ...shiftsOf(null, null) };
}

/** Null: not known. */
function shiftsOf(departure: number | null, arrival: number | null) {
  const shiftBy = (minutes: number | null) => ({
    wallClockMinutes: minutes === null ? { known: false, reason: "withdrawn" } : known(minutes),
  });
  return { departureShift: shiftBy(departure), arrivalShift: shiftBy(arrival) };
}

type Point = readonly [airport: string, date: string, time: string];

function flight(name: string, from: Point, to: Point) {
  const point = ([airport, date, time]: Point) => ({ airport, date, time, terminal: null });
  return {
    marketingCarrier: name.slice(0, 2),
    marketingFlightNumber: name.slice(2) as string | null,
    operatingCarrier: name.slice(0, 2),
    departure: point(from),
    arrival: point(to),
  };
}

/** By the path of the sentence. */
function placeholdersOf(texts: TravellerTexts): Readonly<Record<string, readonly string[]>> {
  const walk = (value: unknown, path: string): readonly (readonly [string, readonly string[]])[] =>
    typeof value === "string"
      ? [[path, [...value.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).toSorted()]]
      : Object.entries(value as object).flatMap(([key, inner]) => walk(inner, `${path}/${key}`));
  return Object.fromEntries(walk(texts, ""));
}
