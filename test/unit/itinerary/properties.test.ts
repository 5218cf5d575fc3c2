import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { differenceBetween } from "../../../src/itinerary/difference.ts";
import { type ChangeFacts, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import { type Itinerary, type LocalPoint, sameFlights } from "../../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
import { severityOf } from "../../../src/itinerary/severity.ts";
import { known } from "../../../src/kernel/fact.ts";
import { anyBrokenOrderView, anyOrderView, steadyAirports } from "../../builders/arbitrary-order-view.ts";

const now = new Date("2024-06-01T00:00:00Z");

describe("for any order", () => {
  test("an itinerary does not differ from itself", () => {
    fc.assert(
      fc.property(anyOrderView().map(proposalIn), ({ view, proposal }) => {
        const booked = proposal.current;
        const facts = factsOf(view, withoutChange(proposal, booked), booked, booked);

        expect(facts.actions).toEqual(booked.segments.map(() => "unchanged"));
        expect(facts.facts.changedFlightCount).toEqual(known(0));
        expect(facts.severity).toEqual({ name: "none", because: [] });
        expect(["Nothing changes.", "A change is open, but no difference from the booked flights is found."]).toContain(
          facts.summary,
        );
      }),
    );
  });

  test("moving everything by whole days changes dates and nothing else", () => {
    fc.assert(
      fc.property(anyOrderView().map(proposalIn), aNumberOfDays, ({ proposal }, days) => {
        const booked = proposal.current;
        const { journeys } = differenceBetween(booked, movedByDays(booked, days));
        const flights = journeys.flatMap((journey) => journey.flights);

        expect(flights.map(({ action }) => action)).toEqual(booked.segments.map(() => "retimed"));
        for (const { before, after, departureShift, arrivalShift } of flights) {
          expect([before, after].flatMap((side) => side.map(({ changed }) => changed))).toEqual([
            ["departure.date", "arrival.date"],
            ["departure.date", "arrival.date"],
          ]);
          expect(departureShift.wallClockMinutes).toEqual(known(days * 1440));
          expect(arrivalShift.wallClockMinutes).toEqual(known(days * 1440));
        }
      }),
    );
  });

  test("moving everything by whole days moves instants by whole days where clocks do not change", () => {
    fc.assert(
      fc.property(anyOrderView(steadyAirports).map(proposalIn), aNumberOfDays, ({ view, proposal }, days) => {
        const booked = proposal.current;
        const { facts } = factsOf(view, withoutChange(proposal, movedByDays(booked, days)), booked, booked);

        expect(facts).toMatchObject({
          dateChanged: known(true),
          retimedOnly: known(true),
          replaced: known(false),
          airportChanged: known(false),
          flightNumberChanged: known(false),
          departureLaterMinutes: known(Math.max(0, days * 1440)),
          departureEarlierMinutes: known(Math.max(0, -days * 1440)),
          arrivalLaterMinutes: known(Math.max(0, days * 1440)),
          arrivalEarlierMinutes: known(Math.max(0, -days * 1440)),
        });
      }),
    );
  });

  test("a change and its inverse lead back to the original", () => {
    fc.assert(
      fc.property(anyOrderView().map(proposalIn), ({ view, proposal }) => {
        const booked = proposal.current;
        fc.pre(!sameFlights(booked, proposal.proposed));
        const facts = factsOf(view, withoutChange(proposal, booked), booked, proposal.proposed);

        expect(facts.facts.backToOriginal).toEqual(known(true));
        expect(facts.actions).toEqual(booked.segments.map(() => "unchanged"));
        expect(facts.summary).toBe("All flights are back as booked.");
        expect(facts.severity.name).not.toBe("none");
      }),
    );
  });

  test("everything can be described, and is plain JSON, whatever the gateway sends", () => {
    fc.assert(
      fc.property(fc.oneof(anyOrderView(), anyBrokenOrderView()), anyOrderView(), fc.date(), (json, other, at) => {
        const reading = readOrderView(json);
        fc.pre(reading.ok && !Number.isNaN(at.getTime()));
        if (!reading.ok) return;
        for (const { orderId } of reading.view.orders) {
          const proposal = readProposal(reading.view, orderId)!;
          // Booked from a view with other flights and other keys, as after a change that somebody else accepted.
          for (const booked of [proposal.current, proposalIn(other).proposal.current]) {
            const facts = factsOf(reading.view, proposal, booked, proposal.current, at);

            expect(Object.keys(facts.facts).sort()).toEqual(Object.keys(factCatalogue).sort());
            expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
            expect(facts.summary).toMatch(/^[^\n]{2,600}$/);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

const aNumberOfDays = fc.integer({ min: -300, max: 300 }).filter((days) => days !== 0);

function proposalIn(json: unknown): { readonly view: OrderView; readonly proposal: Proposal } {
  const reading = readOrderView(json);
  if (!reading.ok) throw new Error(reading.problem.message);
  return { view: reading.view, proposal: readProposal(reading.view, "QX7R2M1A")! };
}

/** The same view with these flights proposed, and nothing else to tell of them. */
function withoutChange(proposal: Proposal, proposed: Itinerary): Proposal {
  return { ...proposal, proposed, withdrawnSegmentKeys: [], suspicions: [], pnrStatus: known("CONFIRMED") };
}

function factsOf(view: OrderView, proposal: Proposal, booked: Itinerary, accepted: Itinerary, at = now) {
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const facts: ChangeFacts = computeFacts({
    booked,
    accepted,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order: orderPartsOf(view, proposal.orderId),
    now: at,
  });
  const { journeys } = differenceBetween(booked, proposed, { current });
  return {
    facts,
    severity: severityOf(facts),
    summary: describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys }),
    actions: journeys.flatMap(({ flights }) => flights.map(({ action }) => action)),
  };
}

function movedByDays(itinerary: Itinerary, days: number): Itinerary {
  const moved = (point: LocalPoint): LocalPoint => {
    const midnight = Date.parse(`${point.date}T00:00:00Z`) + days * 86_400_000;
    return { ...point, date: new Date(midnight).toISOString().slice(0, 10) };
  };
  const segments = itinerary.segments.map((segment) => ({
    ...segment,
    departure: moved(segment.departure),
    arrival: moved(segment.arrival),
  }));
  return { ...itinerary, segments };
}
