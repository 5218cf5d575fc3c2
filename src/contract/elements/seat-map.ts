import { z } from "zod";
import { element, field } from "../element.ts";
import { digits, reference, references } from "./codes.ts";

const section = "Service and seat offers";

/** A column, or an aisle, which has no position. */
const seatColumn = element(
  "SeatColumn",
  section,
  z.union([
    z.strictObject({ Name: field(z.literal("GAP"), "an aisle") }),
    z.strictObject({
      Name: field(z.string().regex(/^(?!GAP$).+$/), "name of the column, as seats state it"),
      Position: field(z.string().min(1), "W, C and A occur; their meaning is not shown"),
    }),
  ]),
);

const rowRange = z.strictObject({
  Start: field(digits, "first row"),
  End: field(digits, "last row"),
});

const seatFields = {
  Column: field(z.string().min(1), "name of its column"),
  SeatExists: field(z.boolean(), "false where the row has no seat in this column"),
  Servicable: field(z.boolean(), "whether the seat is in service", { aliases: ["Serviceable"] }),
};

/** It has no other members. */
const unavailableSeat = z.strictObject({
  ...seatFields,
  Available: field(z.literal(false), "the seat cannot be taken"),
});

const availableSeat = z.strictObject({
  ...seatFields,
  Available: field(z.literal(true), "the seat can be taken"),
  SeatId: field(reference, "identifies the seat in this response; available seats only"),
  PaxRef: field(references, "passengers who can take it; available seats only"),
  Chargable: field(z.boolean(), "whether it costs something; available seats only", { aliases: ["Chargeable"] }),
  OfferItemRefs: field(references, "keys of the ALaCarteOfferItem that price it; available seats only"),
});

const seat = element("Seat", section, z.discriminatedUnion("Available", [availableSeat, unavailableSeat]));

/** An available seat also lists its facilities. */
const postBookingSeat = element(
  "PostBookingSeat",
  section,
  z.discriminatedUnion("Available", [
    availableSeat.extend({
      SeatFecilities: field(z.array(z.string()), "facilities of the seat; available seats of booked flights only", {
        aliases: ["SeatFacilities"],
      }),
    }),
    unavailableSeat,
  ]),
);

const rowFields = {
  RowExists: field(z.boolean(), "false for a number that the cabin leaves out"),
  ExitRow: field(z.boolean(), "whether it is at an emergency exit"),
  ExtraLegRoom: field(z.boolean(), "whether it has more leg room"),
};

const seatRow = element(
  "SeatRow",
  section,
  z.strictObject({
    Number: field(digits, "row number, as text"),
    ...rowFields,
    Seat: field(z.array(seat), "one entry for each column"),
  }),
);

const postBookingSeatRow = element(
  "PostBookingSeatRow",
  section,
  z.strictObject({
    Number: field(z.int().min(0), "row number, numeric in maps of booked flights"),
    ...rowFields,
    Seat: field(z.array(postBookingSeat), "one entry for each column"),
  }),
);

const seatMapFields = {
  SegmentRef: field(reference, "key of the segment that the cabin is for"),
  ColumnLayOut: field(z.array(seatColumn).min(1), "columns and gaps from left to right"),
  Deck: field(z.string(), "deck of the aircraft"),
  RowInfo: field(rowRange, "first and last row of the cabin"),
  WingRow: field(rowRange, "first and last row over the wing"),
};

/** The cabin of one segment. */
export const seatMap = element(
  "SeatMap",
  section,
  z.strictObject({ ...seatMapFields, Rows: field(z.array(seatRow), "the rows from front to back") }),
);

export const postBookingSeatMap = element(
  "PostBookingSeatMap",
  section,
  z.strictObject({ ...seatMapFields, Rows: field(z.array(postBookingSeatRow), "the rows from front to back") }),
);
