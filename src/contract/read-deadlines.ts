import { isRecord } from "../kernel/record.ts";
import { textOf } from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, utcOffsetOf } from "./local-date-time.ts";
import type { AirlineDeadline } from "./order-view.ts";

/**
 * Finds by when the airline wants something to be done or paid, wherever and however an order states it. The contract
 * has no such member; IATA's order view has `SellerFollowUpAction.ActionTimeLimitDateTime` with
 * `ConsequenceOfInactionCode` beside it. Omits `TimeLimits.PaymentExpirationDateTime`, which is read by itself. Never
 * throws.
 */
export function readDeadlines(order: unknown): readonly AirlineDeadline[] {
  const deadlines: AirlineDeadline[] = [];
  const open: Place[] = [{ value: order, name: "", within: "", consequence: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, name, within, consequence } = place;
    if (Array.isArray(value)) {
      for (const entry of value) open.push({ ...place, value: entry });
    } else if (isRecord(value)) {
      const own = Object.keys(value).find((key) => /consequence|inactioncode/i.test(key));
      const nearest = own === undefined ? consequence : value[own];
      for (const key of Object.keys(value)) {
        open.push({ value: value[key], name: key, within: name, consequence: nearest });
      }
    } else {
      const deadline = readDeadline(value, name, within, consequence);
      if (deadline !== null) deadlines.push(deadline);
    }
  }
  return deadlines;
}

interface Place {
  readonly value: unknown;
  readonly name: string;
  /** The name of the member around it. */
  readonly within: string;
  /** What is stated of the consequence, here or in the nearest object around. */
  readonly consequence: unknown;
}

function readDeadline(value: unknown, name: string, within: string, consequence: unknown): AirlineDeadline | null {
  // Most values are no dates, so they are looked at before their names.
  if (typeof value !== "string" || !/^\s*\d{4}-?\d\d/.test(value)) return null;
  const purpose = purposeOf(lettersOf(name), lettersOf(within));
  const text = textOf(value);
  const date = localDateOf(text);
  if (purpose === null || date === null) return null;
  const at = localDateTimeOf(text);
  const time = /[T ](\d.*)$/s.exec(text ?? "")?.[1];
  return {
    purpose,
    at: at ?? `${date}T00:00:00`,
    utcOffset: at === null || time === undefined ? null : (utcOffsetOf(time) ?? null),
    consequence: consequenceOf(consequence),
  };
}

function lettersOf(name: string): string {
  return name
    .slice(0, nameMax)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
}

/** A member's name may have any length. */
const nameMax = 60;

/** What a limit is for, by the name of its member, or of the one around if its own only says that it is a time. */
function purposeOf(name: string, within: string): AirlineDeadline["purpose"] | null {
  const isBare = /^(?:value|text|date|time|datetime|at|limit)$/.test(name);
  const [own, around] = isBare ? [within, ""] : [name, within];
  if (own === "paymentexpirationdatetime" && around === "timelimits") return null;
  if (otherLimits.test(own)) return null;
  const isWeak = /expir/.test(own) && !limitWords.test(own);
  if (isWeak && (otherLimits.test(around) || !purposeWords.test(own + around))) return null;
  if (!isWeak && !limitWords.test(own)) return null;
  return /pay|ticket|issu/.test(own + around) ? "pay" : "act";
}

const limitWords =
  /timelimit|deadline|^due|duedate|duetime|dueby|dueat|limitdate|autocancel|last(?:ticket|pay)|(?:act|action|respond|respon[sc]e|reply|answer|accept|confirm|decide|pay|payment|ticket|ticketing)(?:due)?(?:by|before|until|limit|ttl)/;
const purposeWords = /action|respon[sc]e|reply|answer|accept|confirm|pay|ticket|followup|hold|option/;
/** Limits of something else than the order. */
const otherLimits =
  /offer|price|guarantee|passport|document|visa|card|birth|check|boarding|baggage|valid|loyalty|voucher/;

function consequenceOf(stated: unknown): AirlineDeadline["consequence"] {
  if (stated === undefined || stated === null || stated === "") return "not-stated";
  const letters = lettersOf(textOf(stated) ?? "");
  if (/^(?:auto(?:matic(?:ally)?)?)?cancel(?:s|led|ed|lation|ation)?$/.test(letters)) return "cancelled";
  if (/^(?:auto(?:matic(?:ally)?)?)?accept(?:s|ed|ance)?$/.test(letters)) return "accepted";
  return "unknown-code";
}
