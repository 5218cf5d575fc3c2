import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { priceClass } from "../../../src/contract/elements/data-lists.ts";
import { fareComponent, fareItem, serviceItem } from "../../../src/contract/elements/offer-item.ts";
import { order } from "../../../src/contract/elements/order.ts";
import { passenger } from "../../../src/contract/elements/passengers.ts";
import { flightSegment, segmentDetails } from "../../../src/contract/elements/segment.ts";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { type ReadingPlan, readingPlanOf } from "../../../src/contract/reading-plan.ts";
import type { ChangeFacts, FactName } from "../../../src/itinerary/fact-catalogue.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { type NotifiedParts, orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import { memberUseOf, memberUses } from "../../../src/itinerary/member-uses.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { sampleOf } from "../../harness/sample-size.ts";

type Json = Record<string, unknown>;

const now = new Date("2026-11-01T00:00:00Z");

interface Element {
  readonly plan: ReadingPlan;
  /** Where those elements stand in an order view whose members are changed. */
  readonly places: (body: Json) => readonly Place[];
}

type Place = readonly (string | number)[];

const onlyAt =
  (...place: Place) =>
  () => [place];

const elements: Readonly<Record<string, Element>> = {
  Order: { plan: readingPlanOf(order.omit({ OfferItem: true })), places: onlyAt("Order", 0) },
  "OfferItem, a fare": {
    plan: readingPlanOf(fareItem.omit({ FareComponent: true })),
    places: (body) => offerItemWith("FareDetail", body),
  },
  "OfferItem, a service": {
    plan: readingPlanOf(serviceItem),
    places: (body) => offerItemWith("ServiceDefinitionRef", body),
  },
  FareComponent: {
    plan: readingPlanOf(fareComponent),
    places: (body) => offerItemWith("FareComponent", body).map((place) => [...place, "FareComponent", 0]),
  },
  PriceClass: { plan: readingPlanOf(priceClass), places: onlyAt("DataLists", "PriceClassList", "PriceClass", 0) },
  Passenger: { plan: readingPlanOf(passenger), places: onlyAt("DataLists", "PassengerList", "Passengers", 0) },
  FlightSegment: {
    plan: readingPlanOf(flightSegment),
    places: onlyAt("DataLists", "FlightSegmentList", "FlightSegment", 0),
  },
  SegmentDetails: {
    plan: readingPlanOf(segmentDetails),
    places: (body) =>
      changedSegments(body).length === 0
        ? []
        : [["DataLists", "ScheduleChangeSegmentList", "ScheduleChangeSegment", 0, "SegmentDetails", 0]],
  },
};

function offerItemWith(member: string, body: Json): readonly Place[] {
  const items = (valueAt(body, ["Order", 0, "OfferItem"]) ?? []) as readonly Json[];
  const position = items.findIndex((item) => member in item);
  return position === -1 ? [] : [["Order", 0, "OfferItem", position]];
}

function changedSegments(body: Json): readonly unknown[] {
  return (valueAt(body, ["DataLists", "ScheduleChangeSegmentList", "ScheduleChangeSegment"]) ?? []) as unknown[];
}

function valueAt(value: unknown, [step, ...rest]: Place): unknown {
  if (step === undefined || value === null || typeof value !== "object") return step === undefined ? value : undefined;
  return valueAt((value as Record<string | number, unknown>)[step], rest);
}

/** A value with what `change` makes of what stands at a path of its plan. What is missing on the way is added. */
function changedAt(value: unknown, plan: ReadingPlan, path: readonly string[], change: Change): unknown {
  switch (plan.kind) {
    case "list": {
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      const position = Math.max(
        0,
        items.findIndex((item) => valueAt(item, path.slice(0, 1)) !== undefined),
      );
      const changed = changedAt(items[position], plan.item, path, change);
      return [...items.slice(0, position), changed, ...items.slice(position + 1)];
    }
    case "object": {
      const [name = "", ...rest] = path;
      const isBare = value !== null && value !== undefined && typeof value !== "object";
      const record = isBare ? { [plan.bare!]: value } : ((value ?? {}) as Json);
      return { ...record, [name]: changedAt(record[name], plan.members.get(name)!.plan, rest, change) };
    }
    case "either": {
      if (path.length === 0) return change(value, plan);
      const isList =
        plan.list !== null && (plan.object === null || Array.isArray(value) || !holds(plan.object, path[0]!));
      return changedAt(value, (isList ? plan.list : plan.object)!, path, change);
    }
    default:
      return change(value, plan);
  }
}

type Change = (value: unknown, plan: ReadingPlan) => unknown;

function holds(plan: ReadingPlan, name: string): boolean {
  return plan.kind === "object" && plan.members.has(name);
}

/** Other values that a gateway could send there. */
function othersThan(member: string): readonly Change[] {
  const count = Math.max(1, (plausible[member]?.length ?? 0) - 1);
  return Array.from({ length: count }, (_, nth) => otherThan(member, nth));
}

function otherThan(member: string, nth: number): Change {
  return (value, plan) => {
    const chosen = plausible[member] ??
      (plan.kind === "choice" ? plan.values : undefined) ??
      byKind[plan.kind] ?? ["X7", "X8"];
    return chosen.filter((candidate) => String(candidate) !== String(value))[nth] ?? chosen.at(-1);
  };
}

const byKind: Readonly<Partial<Record<ReadingPlan["kind"], readonly unknown[]>>> = {
  boolean: [true, false],
  number: [1, 2],
  decimal: [17, 18],
  date: ["2027-03-17", "2027-03-18"],
  time: ["09:35:00", "09:45:00"],
  "date-time": ["2026-12-01T10:00:00", "2026-12-02T10:00:00"],
  record: [{ A: 1 }],
};

/** Where any other text would be none that is sent there. */
const plausible: Readonly<Record<string, readonly unknown[]>> = {
  AirportCode: ["NUE", "STR"],
  BookingCurrencyPrice: [17, 18],
  EquivCurrencyPrice: [17, 18],
  AirlineID: ["OS", "LX"],
  AircraftCode: ["DH4", "AT7"],
  MarriageGroup: ["I", "A"],
  FlightDuration: ["9 H 10 M"],
  InterMediate: [[{ AirportCode: "NUE" }]],
  SsrRequest: [[{ SSRCode: "WCHS" }]],
  BirthDate: ["2019-05-05"],
  PTC: ["CHD", "ADT", "INF"],
  RBD: ["L L L", "M M M"],
  CabinType: ["C C C", "Y Y Y"],
  Cabin: ["C", "Y"],
  TicketStatus: ["TICKETED", "NOT TICKETED"],
};

/** The paths of all values below a plan; lists are gone through by their first entry. */
function leavesOf(plan: ReadingPlan, path: string): readonly string[] {
  switch (plan.kind) {
    case "list":
      return leavesOf(plan.item, path);
    case "object":
      return [...plan.members].flatMap(([name, member]) =>
        leavesOf(member.plan, path === "" ? name : `${path}.${name}`),
      );
    case "either":
      return [
        ...(plan.scalars.length > 0 && plan.object === null ? [path] : []),
        ...new Set([plan.object, plan.list].flatMap((part) => (part === null ? [] : leavesOf(part, path)))),
      ];
    default:
      return [path];
  }
}

const members = Object.entries(elements).flatMap(([element, { plan }]) =>
  leavesOf(plan, "").map((path) => ({ element, path })),
);

const bodies = [
  ...readdirSync("samples").map((name) => `samples/${name}`),
  ...["AirReservationStatus.response", "AirDocRetreive.response", "OCN.request"].map(
    (name) => `src/contract/examples/${name}.json`,
  ),
];
const golden = viewIn("src/contract/examples/AirReservationStatus.response.json");

const views: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(bodies.map((path) => [path, viewIn(path)])),
  "an order that is held": replaced(golden, {
    TicketStatus: "NOT TICKETED",
    PaymentStatus: "PENDING",
    TicketDocInfos: { TicketDocInfo: [] },
  }),
  "aircraft that have no code": replaced(golden, { AircraftCode: "" }),
  "flights in a married group": replaced(viewIn("samples/ocn-minor-delay.json"), { MarriageGroup: "O" }),
  "flights in first class": replaced(golden, { CabinType: "F" }),
  "airlines and airports without codes": replaced(viewIn("samples/ocn-minor-delay.json"), {
    AirlineID: "",
    AirportCode: "",
  }),
  "travellers with a middle name": replaced(golden, { MiddleName: "MARIE" }),
  "price classes without names": replaced(golden, { Name: "" }),
};

function viewIn(path: string): Json {
  return (JSON.parse(readFileSync(path, "utf8")) as { OrderViewRS: Json }).OrderViewRS;
}

/** With other values wherever these members stand. */
function replaced(view: Json, values: Json): Json {
  const text = JSON.stringify(view, (key, value: unknown) => (key in values ? values[key] : value));
  return JSON.parse(text) as Json;
}

function read(body: Json): OrderView {
  const reading = readOrderView(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view;
}

/** Facts by name, as text. */
type StatedFacts = Readonly<Record<string, string>>;

/** What the notification says, and the facts of a status that says the same. */
const stated = Object.fromEntries(
  Object.entries(views).map(([name, body]) => {
    const view = read(body);
    const { orderId } = view.orders[0]!;
    const notified = { ...orderPartsOf(view, orderId), flights: readProposal(view, orderId)! };
    const facts = Object.entries(factsOf(view, orderId, notified)!).map(([fact, value]) => [
      fact,
      JSON.stringify(value),
    ]);
    return [name, { orderId, notified, facts: Object.fromEntries(facts) as StatedFacts }];
  }),
);

/** The facts of a status; null when it is of another order. */
function factsOf(status: OrderView, orderId: string, notified: NotifiedParts): ChangeFacts | null {
  const proposal = readProposal(status, orderId);
  if (proposal === null) return null;
  const booked = notified.flights.current;
  return computeFacts({
    booked,
    accepted: booked,
    proposal,
    passengers: status.passengers,
    gateway: interfaceDocument,
    now,
    order: orderPartsOf(status, orderId),
    notified,
    baseline: "notice",
    history: {
      proposals: [],
      acceptedBefore: false,
      awaiting: null,
      notified: notified.flights,
    },
  });
}

interface Trial {
  readonly element: string;
  readonly path: string;
  readonly view: string;
  readonly place: string;
  /** Names of the facts that are not what they were; null when the view is of another order by now. */
  readonly changed: readonly string[] | null;
}

function trialsOf(element: string, path: string): readonly Trial[] {
  const { plan, places } = elements[element]!;
  return Object.entries(views).flatMap(([view, body]) =>
    places(body).flatMap((place) =>
      othersThan(path.split(".").findLast((step) => step !== "Value")!).map((change) => {
        const status = putAt(body, place, changedAt(valueAt(body, place), plan, path.split("."), change)) as Json;
        const { orderId, notified, facts } = stated[view]!;
        const changed = changedFacts(facts, factsOf(read(status), orderId, notified));
        return { element, path, view, place: place.join("/"), changed };
      }),
    ),
  );
}

function putAt(holder: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(holder) ? [...holder] : [];
    list[step] = putAt(list[step], rest, value);
    return list;
  }
  const record = (holder ?? {}) as Json;
  return { ...record, [step]: putAt(record[step], rest, value) };
}

/** Names of the facts that are not as they were told; null when the view is of another order. */
function changedFacts(before: StatedFacts, after: ChangeFacts | null): readonly string[] | null {
  if (after === null) return null;
  return Object.keys(after).filter((name) => JSON.stringify(after[name as FactName]) !== before[name]);
}

describe("the table of members", () => {
  test("has a row for every member of the contract", () => {
    expect(members.filter(({ element, path }) => memberUseOf(element, path) === undefined)).toEqual([]);
  });

  // One in three of them in `npm test`.
  test.each([...sampleOf(members, 3)])(
    "says which facts another value of $element $path changes, or that it changes none",
    (member) => {
      const use = memberUseOf(member.element, member.path);
      const trials = trialsOf(member.element, member.path);

      if (use === undefined) throw new Error("It has no row in src/itinerary/member-uses.ts.");
      expect(trials).not.toEqual([]);
      const shown = (fact: FactName) => trials.filter(({ changed }) => changed === null || changed.includes(fact));
      if ("harmless" in use) {
        expect(trials.filter(({ changed }) => changed !== null && changed.length > 0)).toEqual([]);
        return;
      }
      expect(use.feeds.filter((fact) => shown(fact).length === 0)).toEqual([]);
      const silent = trials.filter((trial) => !use.feeds.some((fact) => shown(fact).includes(trial)));
      if (use.only === undefined) expect(silent).toEqual([]);
    },
  );

  test("has no row for a member that is not in the contract", () => {
    const rows = Object.entries(memberUses).flatMap(([element, uses]) =>
      Object.keys(uses).map((path) => `${element} ${path}`),
    );
    const used = members.map(({ element, path }) => `${element} ${path}`);

    expect(rows.filter((row) => !used.some((member) => member === row || member.startsWith(`${row}.`)))).toEqual([]);
  });
});
