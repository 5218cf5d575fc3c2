import { digestOfValue } from "../kernel/digest.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import { orderDataLists, priceClass } from "./elements/data-lists.ts";
import {
  foldedTextOf,
  listOf,
  member,
  memberAt,
  memberOf,
  referencesOf,
  statesAnything,
  textOf,
} from "./lenient-value.ts";
import { localDateOf } from "./local-date-time.ts";
import { readNameDigests } from "./name-digests.ts";
import type {
  Flight,
  FlightSegment,
  OrderView,
  OriginDestination,
  Passenger,
  PriceClass,
  ServiceDefinition,
  TicketDocument,
} from "./order-view.ts";
import { readAssistance, readGroupSize } from "./read-assistance.ts";
import { readAirportCode } from "./read-code.ts";
import { readNewValues } from "./read-new-values.ts";
import { readSegmentValues } from "./read-segment.ts";
import { createNormaliser } from "./tolerant.ts";

export type DataLists = Omit<OrderView, "orders" | "unread">;

/** @see interface document, "DataLists" */
export function readDataLists(view: unknown): DataLists {
  const lists = member(view, "DataLists");
  const flightSegments = itemsOf(lists, "FlightSegmentList", "FlightSegment").map(readFlightSegment);
  return {
    flightSegments,
    flights: itemsOf(lists, "FlightList", "Flight").flatMap(readFlight),
    originDestinations: itemsOf(lists, "OriginDestinationList", "OriginDestination").map(readOriginDestination),
    scheduleChangeSegments: readNewValues(lists, flightSegments),
    passengers: readPassengers(lists),
    ticketDocuments: ticketDocumentItems(view, lists).flatMap(readTicketDocuments),
    priceClasses: itemsOf(lists, "PriceClassList", "PriceClass").flatMap(readPriceClass),
    baggageAllowances: JSON.stringify(readBaggageAllowances(member(lists, "BaggageAllowanceList"))) ?? null,
    serviceDefinitions: itemsOf(lists, "ServiceDefinitionList", "ServiceDefinition").flatMap(readServiceDefinition),
    contactable: ["contactEmail", "contactNumber"].some((key) =>
      listOf(member(lists, key)).some((contact) => textOf(contact) !== null),
    ),
  };
}

/** Reads `<List>.<Item>`: one object or a list, or the list without the item. */
function itemsOf(lists: unknown, list: string, item: string): readonly unknown[] {
  const container = member(lists, list);
  const items = member(container, item);
  return listOf(items === undefined && Array.isArray(container) ? container : items).filter(
    (entry) => isRecord(entry) && entry !== statedTwice,
  );
}

/** A segment without a key is named by its position, so that it is not lost. */
function readFlightSegment(json: unknown, position: number): FlightSegment {
  return { segmentKey: textOf(member(json, "SegmentKey")) ?? `#${position + 1}`, ...readSegmentValues(json) };
}

function readFlight(json: unknown): readonly Flight[] {
  const flightKey = textOf(member(json, "FlightKey"));
  const segmentKeys = referencesOf(memberOf(json, "SegmentReferences", "SegmentRefs"));
  return flightKey === null ? [] : [{ flightKey, segmentKeys }];
}

function readOriginDestination(json: unknown, position: number): OriginDestination {
  return {
    originDestinationKey: textOf(member(json, "OriginDestinationKey")) ?? `#${position + 1}`,
    departureCode: readAirportCode(json, "DepartureCode").code ?? null,
    arrivalCode: readAirportCode(json, "ArrivalCode").code ?? null,
    flightKeys: referencesOf(memberOf(json, "FlightReferences", "FlightRefs")),
  };
}

/** Of the first list that names anybody: responses have `Passengers`, requests `Passenger`. */
export function passengerItems(lists: unknown): readonly unknown[] {
  const passengers = itemsOf(lists, "PassengerList", "Passengers");
  return passengers.length > 0 ? passengers : itemsOf(lists, "PassengerList", "Passenger");
}

/** Responses have `Passengers`, requests `Passenger`. Both are read, and equal ones count once. */
function readPassengers(lists: unknown): readonly Passenger[] {
  const passengers = itemsOf(lists, "PassengerList", "Passengers").map(readPassenger);
  const others = itemsOf(lists, "PassengerList", "Passenger").map(readPassenger);
  if (passengers.length === 0 || others.length === 0) return [...passengers, ...others];
  const digests = new Set(passengers.map(digestOfValue));
  return [...passengers, ...others.filter((passenger) => !digests.has(digestOfValue(passenger)))];
}

function readPassenger(json: unknown): Passenger {
  const groupSize = readGroupSize(json);
  return {
    passengerId: textOf(member(json, "PassengerID")) ?? textOf(memberAt(json, "attributes", "PassengerID")) ?? "",
    ptc: textOf(member(json, "PTC"))?.toUpperCase() ?? null,
    birthDate: readBirthDate(member(json, "BirthDate")),
    name: readNameDigests(json),
    assistance: readAssistance(json),
    ...(groupSize === undefined ? {} : { groupSize }),
  };
}

function readBirthDate(json: unknown): Fact<string> {
  if (!statesAnything(json)) return unknown("missing-birth-date");
  const date = localDateOf(textOf(json));
  return date === null ? unknown("unreadable-birth-date") : known(date);
}

function readPriceClass(json: unknown): readonly PriceClass[] {
  const priceClassId = textOf(member(json, "PriceClassID"));
  return priceClassId === null
    ? []
    : [
        {
          priceClassId,
          name: textOf(member(json, "Name")),
          code: textOf(member(json, "Code")),
          descriptions: JSON.stringify(readDescriptions(member(json, "Descriptions"))) ?? null,
        },
      ];
}

const readBaggageAllowances = createNormaliser(orderDataLists.shape.BaggageAllowanceList);
const readDescriptions = createNormaliser(priceClass.shape.Descriptions);

function readServiceDefinition(json: unknown): readonly ServiceDefinition[] {
  const serviceDefinitionId = textOf(member(json, "ServiceDefinitionID"));
  const type = foldedTextOf(member(json, "ServiceType"));
  return serviceDefinitionId === null
    ? []
    : [
        {
          serviceDefinitionId,
          type,
          code: textOf(member(json, "ServiceCode")),
          name: textOf(memberOf(json, "ServiceName", "Name")),
        },
      ];
}

/** In `DataLists` by the interface document; notifications have them beside it. */
function ticketDocumentItems(view: unknown, lists: unknown): readonly unknown[] {
  const beside = itemsOf(view, "TicketDocInfos", "TicketDocInfo");
  return beside.length > 0 ? beside : itemsOf(lists, "TicketDocInfos", "TicketDocInfo");
}

function readTicketDocuments(json: unknown): readonly TicketDocument[] {
  return listOf(member(json, "TicketDocument")).map((document) => ({
    passengerReference: textOf(member(json, "PassengerReference")),
    gdsBookingReference: textOf(member(json, "GdsBookingReference")),
    type: textOf(member(document, "Type"))?.toUpperCase() ?? null,
  }));
}

/** Order views omit the number, because it identifies a traveller. */
export interface NumberedTicketDocument extends TicketDocument {
  readonly ticketNumber: string;
}

export function readNumberedTicketDocuments(view: unknown): readonly NumberedTicketDocument[] {
  return ticketDocumentItems(view, member(view, "DataLists")).flatMap((item) => {
    const numbers = listOf(member(item, "TicketDocument")).map((document) => textOf(member(document, "TicketDocNbr")));
    return readTicketDocuments(item).flatMap((document, position) => {
      const ticketNumber = numbers[position] ?? null;
      return ticketNumber === null ? [] : [{ ticketNumber, ...document }];
    });
  });
}

/** What a traveller can be found by. Order views omit it. */
export interface TravellerWords {
  readonly names: readonly string[];
  readonly ticketNumbers: readonly string[];
}

export function readTravellerWords(view: unknown): TravellerWords {
  const lists = member(view, "DataLists");
  const passengers = ["Passengers", "Passenger"].flatMap((item) => itemsOf(lists, "PassengerList", item));
  const names = passengers.flatMap((passenger) =>
    ["LastName", "FirstName", "MiddleName"].flatMap((key) => textOf(member(passenger, key)) ?? []),
  );
  return {
    names: [...new Set(names)],
    ticketNumbers: [...new Set(readNumberedTicketDocuments(view).map(({ ticketNumber }) => ticketNumber))],
  };
}
