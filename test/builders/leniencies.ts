import type { Operation } from "../../src/contract/operations/operation.ts";
import { exampleOf } from "./examples.ts";
import { withValueAt } from "./value-at.ts";

/** A request over HTTP. */
export interface WireRequest {
  readonly path: string;
  /** Null: the header is not sent. */
  readonly contentType: string | null;
  readonly body: string;
}

/** What the gateway takes although the contract does not show it, by its words in docs/gateway.md. */
export interface Leniency {
  readonly words: string;
  /** The requests that are taken, or none if the operation has no such member. */
  readonly loosen: (operation: Operation) => readonly WireRequest[];
}

type Json = { readonly [key: string]: unknown };

/** In the exact form of the contract: the operation's example with one of each thing, and digits as its OrderID. */
export function exactRequest(operation: Operation): Json {
  const { requestRoot } = operation;
  const content = (exampleOf(operation).request as { readonly [root: string]: Json })[requestRoot]!;
  const { Query: query, DataLists: lists } = withOneOfEach({
    Query: content["Query"],
    DataLists: content["DataLists"],
  });
  const named = "OrderID" in (query as Json) ? { ...(query as Json), OrderID: "12345678" } : query;
  return { [requestRoot]: { ...content, Query: named, ...(lists === undefined ? {} : { DataLists: lists }) } };
}

export function wireRequest({ path }: Operation, body: unknown, more: Partial<WireRequest> = {}): WireRequest {
  return { path, contentType: "application/json", body: JSON.stringify(body), ...more };
}

export const leniencies: readonly Leniency[] = [
  {
    words: "Any `Content-Type`, or none",
    loosen: (operation) =>
      [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
        null,
      ].map((contentType) => wireRequest(operation, exactRequest(operation), { contentType })),
  },
  {
    words: "A slash at the end of the path",
    loosen: (operation) => [wireRequest(operation, exactRequest(operation), { path: `${operation.path}/` })],
  },
  {
    words: "A byte order mark before the body",
    loosen: (operation) => [wireRequest(operation, {}, { body: `\u{feff}${JSON.stringify(exactRequest(operation))}` })],
  },
  {
    words: "Keys in any letter case",
    loosen: (operation) => [
      wireRequest(
        operation,
        withKeys(exactRequest(operation), (key) => key.toLowerCase()),
      ),
      wireRequest(
        operation,
        withKeys(exactRequest(operation), (key) => key.toUpperCase()),
      ),
    ],
  },
  {
    words: "Members that the contract does not have",
    loosen: (operation) => [
      wireRequest(operation, { ...exactRequest(operation), Extra: {} }),
      ...changedAt(operation, "Extra", 1),
      ...changedAt(operation, "Query/Extra", 1),
    ],
  },
  { words: "No `Document`", loosen: (operation) => changedAt(operation, "Document", undefined) },
  { words: "No `Party`", loosen: (operation) => changedAt(operation, "Party", undefined) },
  {
    words: "`Document` and `Party` with other content",
    loosen: (operation) => [
      ...changedAt(operation, "Document", "x"),
      ...changedAt(operation, "Document/Name", undefined),
      ...changedAt(operation, "Party", []),
      ...changedAt(operation, "Party/Sender/TravelAgencySender/Contacts", null),
    ],
  },
  {
    words: "Another `ReferenceVersion` than 1.0",
    loosen: (operation) =>
      ["1.2", "17.2", 1, ""].flatMap((value) => changedAt(operation, "Document/ReferenceVersion", value)),
  },
  {
    words: "`MetaData` of any type",
    loosen: (operation) => [null, 5, "x", {}].flatMap((value) => changedAt(operation, "MetaData", value)),
  },
  {
    words: "Numbers in place of text",
    loosen: (operation) => {
      const { body } = wireRequest(operation, exactRequest(operation));
      return [
        wireRequest(
          operation,
          {},
          { body: body.replaceAll(/("(?:OrderID|OfferID|ShoppingResponseId)"):"(\d+)"/g, "$1:$2") },
        ),
      ];
    },
  },
  {
    words: "One thing in place of a list",
    loosen: (operation) =>
      ["Query/Offer", "Query/GdsBookingReference", "Query/TicketNumber", "DataLists/PassengerList/Passenger"].flatMap(
        (path) => {
          const list = contentAt(operation, path);
          return Array.isArray(list) ? changedAt(operation, path, list[0]) : [];
        },
      ),
  },
  {
    words: "A list in place of one thing",
    loosen: (operation) => {
      const references = contentAt(operation, "Query/GdsBookingReference");
      return [
        ...changedAt(operation, "Query", [contentAt(operation, "Query")]),
        ...(typeof references === "string" ? changedAt(operation, "Query/GdsBookingReference", [references]) : []),
      ];
    },
  },
  {
    words: "Blanks around a value",
    loosen: (operation) =>
      ["Query/OrderID", "Query/GdsBookingReference", ...listedValues, `${firstPassenger}/PassengerID`].flatMap(
        (path) => {
          const value = contentAt(operation, path);
          return typeof value === "string"
            ? [` ${value}`, `${value} `].flatMap((text) => changedAt(operation, path, text))
            : [];
        },
      ),
  },
  {
    words: "Several references or tickets in one text, also empty ones",
    loosen: (operation) =>
      ["Query/GdsBookingReference", ...listedValues].flatMap((path) => {
        const value = contentAt(operation, path);
        const texts = [`${value},`, `,${value}`, `${value},${value}`, `${value} ${value}`];
        return typeof value === "string" ? texts.flatMap((text) => changedAt(operation, path, text)) : [];
      }),
  },
  {
    words: "The same reference, ticket or offer twice",
    loosen: (operation) =>
      ["Query/GdsBookingReference", "Query/TicketNumber", "Query/Offer"].flatMap((path) => {
        const list = contentAt(operation, path);
        // AirFareRules responds with the rules of each.
        return Array.isArray(list) && operation.name !== "AirFareRules"
          ? changedAt(operation, path, [...list, ...list])
          : [];
      }),
  },
  {
    words: "A member that its object has twice",
    loosen: (operation) => {
      const { body } = wireRequest(operation, exactRequest(operation));
      return [
        body.replace('"Query":', '"Query":{},"Query":'),
        body.replace('"Name":', '"\\u004eame": "x", "Name" :'),
        ...["OrderID", "OfferID", "PassengerID"].map((name) => body.replace(`"${name}":`, `"${name}":"x","${name}":`)),
      ]
        .filter((text) => text !== body)
        .map((text) => wireRequest(operation, {}, { body: text }));
    },
  },
  { words: "`PTC` in any letter case", loosen: (operation) => changedAt(operation, `${firstPassenger}/PTC`, "adt") },
  {
    words: "`Passengers` in place of `Passenger`, and `attributes.PassengerID`",
    loosen: (operation) => {
      const passenger = contentAt(operation, firstPassenger) as Json | undefined;
      if (passenger === undefined) return [];
      const { PassengerID, ...others } = passenger;
      return [
        ...changedAt(operation, "DataLists/PassengerList", { Passengers: [passenger] }),
        ...changedAt(operation, firstPassenger, { attributes: { PassengerID }, ...others }),
      ];
    },
  },
  {
    words: "`AirOrderReshop`: no names, `NameTitle` in any letter case",
    loosen: (operation) =>
      operation.name !== "AirOrderReshop"
        ? []
        : [
            ...["FirstName", "MiddleName", "LastName"].flatMap((name) =>
              changedAt(operation, `${firstPassenger}/${name}`, undefined),
            ),
            ...changedAt(operation, `${firstPassenger}/MiddleName`, 5),
            ...changedAt(operation, `${firstPassenger}/NameTitle`, "MRS"),
          ],
  },
  {
    words: "`AirTicketVoid`: `NeedToCancelBooking` blank or in lower case",
    loosen: (operation) =>
      operation.name !== "AirTicketVoid"
        ? []
        : ["", null, "n", "y"].flatMap((value) => changedAt(operation, "Query/NeedToCancelBooking", value)),
  },
  {
    words: "`AirFareRules`: `ResponseID` in place of `ShoppingResponseId`, no `attributes`",
    loosen: (operation) => {
      if (operation.name !== "AirFareRules") return [];
      const { ShoppingResponseId, OfferID } = contentAt(operation, "Query/Offer/0/attributes") as Json;
      return [
        ...changedAt(operation, "Query/Offer/0/attributes", { ResponseID: ShoppingResponseId, OfferID }),
        ...changedAt(operation, "Query/Offer/0", { ShoppingResponseId, OfferID }),
      ];
    },
  },
];

const listedValues = ["Query/GdsBookingReference/0", "Query/TicketNumber/0"];
const firstPassenger = "DataLists/PassengerList/Passenger/0";

/** None if the operation has no place for it. */
function changedAt(operation: Operation, path: string, value: unknown): readonly WireRequest[] {
  const holder = path.includes("/") ? contentAt(operation, path.slice(0, path.lastIndexOf("/"))) : {};
  if (holder === undefined) return [];
  return [wireRequest(operation, withValueAt(exactRequest(operation), `${operation.requestRoot}/${path}`, value))];
}

function contentAt(operation: Operation, path: string): unknown {
  const content = exactRequest(operation)[operation.requestRoot];
  return path
    .split("/")
    .reduce((value: unknown, key) => (typeof value === "object" ? (value as Json | null)?.[key] : undefined), content);
}

function withKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, rename));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), withKeys(item, rename)]));
}

function withOneOfEach<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.slice(0, 1).map(withOneOfEach) as Value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOneOfEach(item)])) as Value;
}
