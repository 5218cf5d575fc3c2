import { z } from "zod";
import { digestOfValue } from "../kernel/digest.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import {
  type flight,
  orderDataLists,
  type originDestination,
  priceClass,
  type serviceDefinition,
  type ticketDocInfo,
} from "./elements/data-lists.ts";
import { passenger } from "./elements/passengers.ts";
import type { flightSegment } from "./elements/segment.ts";
import { foldedTextOf, listOf, member, referencesOf, statesAnything, textOf } from "./lenient-value.ts";
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
import { readContacts } from "./read-contacts.ts";
import { readNewValues } from "./read-new-values.ts";
import { readSegmentValues } from "./read-segment.ts";
import { createStatedReader, type Stated } from "./stated.ts";
import { readStatedView, type StatedView } from "./stated-view.ts";
import { createNormaliser } from "./tolerant.ts";

export type DataLists = Omit<OrderView, "orders" | "unread">;

/** @see interface document, "DataLists" */
export function readDataLists(view: StatedView): DataLists {
  const lists = view?.DataLists ?? null;
  const flightSegments = itemsOf(lists?.FlightSegmentList?.FlightSegment).map(readFlightSegment);
  return {
    flightSegments,
    flights: itemsOf(lists?.FlightList?.Flight).flatMap(readFlight),
    originDestinations: itemsOf(lists?.OriginDestinationList?.OriginDestination).map(readOriginDestination),
    scheduleChangeSegments: readNewValues(lists, flightSegments),
    passengers: readPassengers(lists),
    ticketDocuments: ticketDocumentItems(view).flatMap(readTicketDocuments),
    priceClasses: itemsOf(lists?.PriceClassList?.PriceClass).flatMap(readPriceClass),
    baggageAllowances: JSON.stringify(readBaggageAllowances(lists?.BaggageAllowanceList)) ?? null,
    serviceDefinitions: itemsOf(lists?.ServiceDefinitionList?.ServiceDefinition).flatMap(readServiceDefinition),
    contacts: readContacts(lists, passengerItems(lists)),
  };
}

function itemsOf<Item>(items: readonly Item[] | null | undefined): readonly Item[] {
  return listOf(items).filter((item) => isRecord(item) && item !== (statedTwice as unknown));
}

/** A segment without a key is named by its position, so that it is not lost. */
function readFlightSegment(segment: Stated<typeof flightSegment>, position: number): FlightSegment {
  return { segmentKey: textOf(segment?.SegmentKey) ?? `#${position + 1}`, ...readSegmentValues(segment) };
}

function readFlight(json: Stated<typeof flight>): readonly Flight[] {
  const flightKey = textOf(json?.FlightKey);
  const segmentKeys = referencesOf(json?.SegmentReferences);
  return flightKey === null ? [] : [{ flightKey, segmentKeys }];
}

function readOriginDestination(json: Stated<typeof originDestination>, position: number): OriginDestination {
  return {
    originDestinationKey: textOf(json?.OriginDestinationKey) ?? `#${position + 1}`,
    departureCode: readAirportCode(json?.DepartureCode).code ?? null,
    arrivalCode: readAirportCode(json?.ArrivalCode).code ?? null,
    flightKeys: referencesOf(json?.FlightReferences),
  };
}

/** Returns the items of the first list that names anybody: responses have `Passengers`, requests `Passenger`. */
export function passengerItems(lists: Stated<typeof orderDataLists>): readonly Stated<typeof passenger>[] {
  const passengers = itemsOf(lists?.PassengerList?.Passengers);
  return passengers.length > 0 ? passengers : otherPassengers(lists);
}

/** Those of `Passenger`, if there is `Passengers` as well: only one of two spellings is read. */
function otherPassengers(lists: Stated<typeof orderDataLists>): readonly Stated<typeof passenger>[] {
  const others = member(lists?.PassengerList, "Passenger");
  return others === undefined ? [] : itemsOf(readPassengerItems(others));
}

const readPassengerItems = createStatedReader(z.array(passenger));

/** Responses have `Passengers`, requests `Passenger`. Both are read, and equal ones count once. */
function readPassengers(lists: Stated<typeof orderDataLists>): readonly Passenger[] {
  const passengers = itemsOf(lists?.PassengerList?.Passengers).map(readPassenger);
  const others = otherPassengers(lists).map(readPassenger);
  if (passengers.length === 0 || others.length === 0) return [...passengers, ...others];
  const digests = new Set(passengers.map(digestOfValue));
  return [...passengers, ...others.filter((passenger) => !digests.has(digestOfValue(passenger)))];
}

function readPassenger(json: Stated<typeof passenger>): Passenger {
  const groupSize = readGroupSize(json);
  return {
    passengerId: textOf(json?.PassengerID) ?? textOf(json?.attributes?.PassengerID) ?? "",
    ptc: textOf(json?.PTC)?.toUpperCase() ?? null,
    birthDate: readBirthDate(json?.BirthDate),
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

function readPriceClass(json: Stated<typeof priceClass>): readonly PriceClass[] {
  const priceClassId = textOf(json?.PriceClassID);
  return priceClassId === null
    ? []
    : [
        {
          priceClassId,
          name: textOf(json?.Name),
          code: textOf(json?.Code),
          descriptions: JSON.stringify(readDescriptions(json?.Descriptions)) ?? null,
        },
      ];
}

const readBaggageAllowances = createNormaliser(orderDataLists.shape.BaggageAllowanceList);
const readDescriptions = createNormaliser(priceClass.shape.Descriptions);

function readServiceDefinition(json: Stated<typeof serviceDefinition>): readonly ServiceDefinition[] {
  const serviceDefinitionId = textOf(json?.ServiceDefinitionID);
  const type = foldedTextOf(json?.ServiceType);
  return serviceDefinitionId === null
    ? []
    : [
        {
          serviceDefinitionId,
          type,
          code: textOf(json?.ServiceCode),
          name: textOf(json?.ServiceName),
        },
      ];
}

/** In `DataLists` by the interface document; notifications have them beside it. */
function ticketDocumentItems(view: StatedView): readonly Stated<typeof ticketDocInfo>[] {
  const beside = itemsOf(view?.TicketDocInfos?.TicketDocInfo);
  return beside.length > 0 ? beside : itemsOf(view?.DataLists?.TicketDocInfos?.TicketDocInfo);
}

function readTicketDocuments(json: Stated<typeof ticketDocInfo>): readonly TicketDocument[] {
  return listOf(json?.TicketDocument).map((document) => ({
    passengerReference: textOf(json?.PassengerReference),
    gdsBookingReference: textOf(json?.GdsBookingReference),
    type: textOf(document?.Type)?.toUpperCase() ?? null,
  }));
}

/** Order views omit the number, because it identifies a traveller. */
export interface NumberedTicketDocument extends TicketDocument {
  readonly ticketNumber: string;
}

export function readNumberedTicketDocuments(view: StatedView): readonly NumberedTicketDocument[] {
  return ticketDocumentItems(view).flatMap((item) => {
    const numbers = listOf(item?.TicketDocument).map((document) => textOf(document?.TicketDocNbr));
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

export function readTravellerWords(json: unknown): TravellerWords {
  const view = readStatedView(json);
  const lists = view?.DataLists ?? null;
  const passengers = [...itemsOf(lists?.PassengerList?.Passengers), ...otherPassengers(lists)];
  const names = passengers.flatMap((passenger) =>
    [passenger?.LastName, passenger?.FirstName, passenger?.MiddleName].flatMap((name) => textOf(name) ?? []),
  );
  return {
    names: [...new Set(names)],
    ticketNumbers: [...new Set(readNumberedTicketDocuments(view).map(({ ticketNumber }) => ticketNumber))],
  };
}
