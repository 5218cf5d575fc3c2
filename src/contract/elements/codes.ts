import { z } from "zod";
import { field } from "../element.ts";

export const yesNo = z.enum(["Y", "N"]);

/** One key or code, such as a SegmentKey. */
export const reference = z.string().min(1);

export const references = field(z.string().regex(/^\S+( \S+)*$/), "keys separated by single blanks", {
  reads: "references",
});

export const tokens = field(
  z.string().regex(/^\S+( \S+)*$/),
  "one token for each segment, separated by single blanks",
  {
    reads: "tokens",
  },
);

/** Text, because an identifier may have 19 to 28 digits. */
export const digits = z.string().regex(/^\d+$/);

/** IATA code. */
export const airportCode = z.string().regex(/^[A-Z]{3}$/);

/** ISO 4217. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

export const localDate = field(z.iso.date(), "local date, yyyy-mm-dd", { reads: "date" });

export const localTime = field(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/), "local time, hh:mm:ss", {
  reads: "time",
});

/** ISO 8601 without a zone: gateways state none. */
export const localDateTime = field(
  z.iso.datetime({ local: true, offset: false, precision: 0 }).regex(/^[^Z]*$/),
  "local date and time, yyyy-mm-ddThh:mm:ss",
  { reads: "date-time" },
);

/** Real gateways return an empty one while nothing is stored. @see interface document, "States and transitions" */
export const pnrStatus = z.enum(["", "CONFIRMED", "PENDING", "MODIFIED", "CANCELLED", "SCHEDULE CHANGED", "FAILED"]);

/** Empty by default. @see interface document, "States and transitions" */
export const scheduleChangeStatus = z.enum(["", "Initiated", "Accepted", "Rejected", "Partially-Accepted"]);

/** Adult, child, infant. @see interface document, "Limits" */
export const passengerType = z.enum(["ADT", "CHD", "INF"]);
