import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { parseStatements } from "../../../src/contract/json.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { aMinorDelay, bytesOf, type Json } from "../../builders/order-view.ts";

/** The usual notification as text, whose `SegmentDetails` of one flight can be replaced. */
const text = JSON.stringify(aMinorDelay());
const own = /"SegmentDetails":(\[.*?\}\]),?/.exec(text)![1]!;

describe("new values that are stated and cannot be read", () => {
  test.each<[string, string]>([
    ["stand twice with other values", `"SegmentDetails":[{"Departure":{"Time":"12:00:00"}}],"SegmentDetails":${own}`],
    ["stand twice with the same values", `"SegmentDetails":${own},"SegmentDetails":${own}`],
    ["are a text", '"SegmentDetails":"see remarks"'],
    ["are a list of a text", '"SegmentDetails":["see remarks"]'],
    ["are a list in a list", `"SegmentDetails":[${own}]`],
    ["stand under another name", `"NewSegmentDetails":${own}`],
    ["are times under another name", '"NewDepartureTime":"12:00:00"'],
  ])("leave it unknown what becomes of the flight when they %s", (_, replaced) => {
    expectUnknown(text.replace(`"SegmentDetails":${own}`, replaced));
  });

  test.each<[string, (list: Json) => unknown]>([
    ["is a text", () => "N/A"],
    ["has another name inside", ({ ScheduleChangeSegment }) => ({ Segment: ScheduleChangeSegment })],
    ["holds a text", () => ({ ScheduleChangeSegment: "see remarks" })],
  ])("leave it unknown what becomes of the flight when their list %s", (_, change) => {
    const body = aMinorDelay();
    const lists = body.OrderViewRS["DataLists"] as Json;
    lists["ScheduleChangeSegmentList"] = change(lists["ScheduleChangeSegmentList"] as Json);

    expectUnknown(JSON.stringify(body));
  });

  test("are not missing ones: a flight without any is withdrawn", () => {
    const { facts, proposal } = read(text.replace(own, "[]"));

    expect(proposal.withdrawnSegmentKeys).toEqual(["Segment1"]);
    expect(facts.removedFlightCount).toEqual({ known: true, value: 1 });
  });

  test("belong to the flight whose key has another letter case", () => {
    const changed = text.replace(/("ScheduleChangeSegment":\[\{"SegmentKey":)"Segment1"/, '$1"SEGMENT1"');

    expect(changed).not.toBe(text);
    expect(read(changed).proposal.suspicions).toEqual([]);
  });
});

function expectUnknown(body: string): void {
  const { facts, proposal } = read(body);
  expect(proposal.withdrawnSegmentKeys).toEqual([]);
  expect(facts.removedFlightCount).toEqual({ known: true, value: 0 });
  const { departureLaterMinutes, dataSuspect, cancelled, airportChanged } = facts;
  expect([departureLaterMinutes, dataSuspect, cancelled, airportChanged].map(({ known }) => known)).toEqual([
    false,
    false,
    false,
    false,
  ]);
}

function read(body: string) {
  const parsed = parseStatements(bytesOf(body));
  const view = readOrderView(parsed.ok ? parsed.value : null);
  if (!view.ok) throw new Error("The view cannot be read.");
  const { orderId } = view.view.orders[0]!;
  const proposal = readProposal(view.view, orderId)!;
  const now = new Date("2027-01-01T00:00:00Z");
  return {
    proposal,
    facts: computeFacts({
      booked: proposal.current,
      accepted: proposal.current,
      proposal,
      passengers: view.view.passengers,
      gateway: interfaceDocument,
      now,
      order: orderPartsOf(view.view, orderId),
    }),
  };
}
