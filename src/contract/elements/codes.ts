import { z } from "zod";
import { field } from "../element.ts";

/** Y or N. */
export const yesNo = z.enum(["Y", "N"]);

/** One key or code, such as a SegmentKey, an OrderID or a booking code. */
export const reference = z.string().min(1);

/** One or several keys, separated by single blanks. */
export const references = field(z.string().regex(/^\S+( \S+)*$/), "keys separated by single blanks", {
  reads: "references",
});

/** One token for each referenced segment, separated by single blanks. */
export const tokens = field(
  z.string().regex(/^\S+( \S+)*$/),
  "one token for each segment, separated by single blanks",
  {
    reads: "tokens",
  },
);

/** An identifier of digits. It may have 19 to 28 of them, so it is text and never a number. */
export const digits = z.string().regex(/^\d+$/);

/** IATA code of an airport or a city. */
export const airportCode = z.string().regex(/^[A-Z]{3}$/);

/** ISO 4217. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

/** Local, yyyy-mm-dd. */
export const localDate = field(z.iso.date(), "local date, yyyy-mm-dd", { reads: "date" });

/** Local, hh:mm:ss. */
export const localTime = field(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/), "local time, hh:mm:ss", {
  reads: "time",
});

/** ISO 8601 without a zone, which gateways do not state. */
export const localDateTime = field(
  z.iso.datetime({ local: true, offset: false, precision: 0 }).regex(/^[^Z]*$/),
  "local date and time, yyyy-mm-ddThh:mm:ss",
  { reads: "date-time" },
);

/** Empty while nothing is stored, as real gateways return it. @see interface document, "States and transitions" */
export const pnrStatus = z.enum(["", "CONFIRMED", "PENDING", "MODIFIED", "CANCELLED", "SCHEDULE CHANGED", "FAILED"]);

/** Empty by default. @see interface document, "States and transitions" */
export const scheduleChangeStatus = z.enum(["", "Initiated", "Accepted", "Rejected", "Partially-Accepted"]);

/** Adult, child, infant. @see interface document, "Limits" */
export const passengerType = z.enum(["ADT", "CHD", "INF"]);
