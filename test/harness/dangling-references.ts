import type { z } from "zod";
import type { postBookingSeatMap, seatMap } from "../../src/contract/elements/seat-map.ts";
import type { offeredService, seatOffer, serviceOffer } from "../../src/contract/elements/service-offers.ts";

/** A key that a response refers to and does not define. */
interface DanglingReference {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly key: string;
}

interface OfferedExtras {
  readonly ALaCarteOffer: z.infer<typeof serviceOffer> | z.infer<typeof seatOffer>;
  readonly ServiceList?: readonly z.infer<typeof offeredService>[];
  readonly SeatMap?: readonly (z.infer<typeof seatMap> | z.infer<typeof postBookingSeatMap>)[];
  readonly DataLists: {
    readonly PassengerList: { readonly Passengers: readonly { readonly PassengerID: string }[] };
    readonly FlightSegmentList: {
      readonly FlightSegment: readonly ({ readonly SegmentKey: string } | { readonly SegmentRef: string })[];
    };
    readonly ServiceDefinitionList?: {
      readonly ServiceDefinition: readonly { readonly ServiceDefinitionID: string }[];
    };
  };
}

/**
 * Returns the references of a service list or a seat map that lead nowhere. The gateway must serve none; a client must
 * accept them, because real orders have passenger keys of several kinds.
 * @param root key of the response root, such as `AirSeatMapRS`, with which the paths begin.
 * @see interface document, "Service and seat offers"
 */
export function danglingReferences(root: string, extras: OfferedExtras): readonly DanglingReference[] {
  const lists = extras.DataLists;
  const offerItems = extras.ALaCarteOffer.ALaCarteOfferItem;
  const known = {
    offerItems: new Set(offerItems.map((item) => item.OfferItemID)),
    passengers: new Set(lists.PassengerList.Passengers.map((passenger) => passenger.PassengerID)),
    segments: new Set(lists.FlightSegmentList.FlightSegment.map(segmentKeyOf)),
    definitions: new Set(
      lists.ServiceDefinitionList?.ServiceDefinition.map((definition) => definition.ServiceDefinitionID),
    ),
  };
  const missing = (keys: ReadonlySet<string>, references: string, path: string): readonly DanglingReference[] =>
    references
      .split(" ")
      .filter((key) => !keys.has(key))
      .map((key) => ({ path: `/${root}/${path}`, key }));

  return [
    ...offerItems.flatMap(({ Eligibility }, position) => {
      const path = `ALaCarteOffer/ALaCarteOfferItem/${position}/Eligibility`;
      return [
        ...missing(known.passengers, Eligibility.PassengerRefs, `${path}/PassengerRefs`),
        ...missing(known.segments, Eligibility.SegmentRefs, `${path}/SegmentRefs`),
      ];
    }),
    ...(extras.ServiceList ?? []).flatMap((service, position) => [
      ...missing(known.offerItems, service.OfferItemRefs, `ServiceList/${position}/OfferItemRefs`),
      ...missing(known.definitions, service.ServiceDefinitionRef, `ServiceList/${position}/ServiceDefinitionRef`),
    ]),
    ...(extras.SeatMap ?? []).flatMap((map, mapPosition) => {
      const columns = new Set(map.ColumnLayOut.map((column) => column.Name).filter((name) => name !== "GAP"));
      return [
        ...missing(known.segments, map.SegmentRef, `SeatMap/${mapPosition}/SegmentRef`),
        ...map.Rows.flatMap((row, rowPosition) =>
          row.Seat.flatMap((seat, seatPosition) => {
            const path = `SeatMap/${mapPosition}/Rows/${rowPosition}/Seat/${seatPosition}`;
            return [
              ...missing(columns, seat.Column, `${path}/Column`),
              ...(seat.Available
                ? [
                    ...missing(known.passengers, seat.PaxRef, `${path}/PaxRef`),
                    ...missing(known.offerItems, seat.OfferItemRefs, `${path}/OfferItemRefs`),
                  ]
                : []),
            ];
          }),
        ),
      ];
    }),
  ];
}

function segmentKeyOf(segment: { readonly SegmentKey: string } | { readonly SegmentRef: string }): string {
  return "SegmentKey" in segment ? segment.SegmentKey : segment.SegmentRef;
}
