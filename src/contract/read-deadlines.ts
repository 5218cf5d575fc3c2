import { isRecord } from "../kernel/record.ts";
import { consequenceOf } from "./consequence.ts";
import { isPlaceholder, member, onlyOf, textOf } from "./lenient-value.ts";
import { momentOf } from "./moment.ts";
import type { AirlineDeadline } from "./order-view.ts";
import { remembered } from "./words-in.ts";

/**
 * Finds by when the airline wants something to be done or paid, wherever and however an order states it. The contract
 * has no such member; IATA's order view has `SellerFollowUpAction.ActionTimeLimitDateTime` with
 * `ConsequenceOfInactionCode` beside it. A limit in a form that is not read is returned as it stands. Omits
 * `TimeLimits.PaymentExpirationDateTime`, which is read by itself. Never throws.
 */
export function readDeadlines(order: unknown): readonly AirlineDeadline[] {
  const deadlines: AirlineDeadline[] = [];
  const open: Place[] = [{ value: order, name: "", within: null }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, name, within } = place;
    if (Array.isArray(value)) {
      for (const entry of value) open.push({ value: entry, name, within });
    } else if (isRecord(value)) {
      // A name that only says that it is a time is a limit's by the names around, the same for all in this object.
      const isLimitIfBare = mayNameLimit(nameOfMoment, place);
      const moment = isLimitIfBare ? joinedMoment(value, place) : null;
      if (moment !== null) open.push(moment);
      for (const key in value) {
        if (moment !== null && /^(?:date|time)$/i.test(key)) continue;
        // Most members are named otherwise, and their values need not be looked at.
        const { isBare, mayBeLimit } = traitsOf(key);
        if (typeof value[key] !== "object" && !(isBare ? isLimitIfBare : mayBeLimit)) continue;
        open.push({ value: value[key], name: key, within: place });
      }
    } else {
      const deadline = readDeadline(place);
      if (deadline !== null) deadlines.push(deadline);
    }
  }
  return deadlines;
}

interface Place {
  readonly value: unknown;
  readonly name: string;
  /** The object that it is a member of. */
  readonly within: Place | null;
}

/** The names of the members around it, the nearest first. */
function namesAround({ within }: Place): readonly string[] {
  const names: string[] = [];
  for (let place = within; place !== null && names.length < namesMax; place = place.within) names.push(place.name);
  return names;
}

/** More names around say nothing of what a time is for. */
const namesMax = 3;

/** A bare name, as any other that only says that something is a time. */
const nameOfMoment = "DateTime";

/** A date and a time that stand beside each other, as one. */
function joinedMoment(value: { readonly [key: string]: unknown }, within: Place): Place | null {
  const [date, time] = [textOf(onlyOf(member(value, "Date"))), textOf(onlyOf(member(value, "Time")))];
  if (date === null || time === null || /[T ]\d/.test(date)) return null;
  return { value: `${date} ${time}`, name: nameOfMoment, within };
}

function readDeadline(place: Place): AirlineDeadline | null {
  const { value, name } = place;
  if (!mayNameLimit(name, place.within)) return null;
  const text = typeof value === "boolean" ? null : textOf(value);
  if (text === null || text.length > statedMax) return null;
  const moment = momentOf(text);
  if (moment === null && (isPlaceholder(text) || !namesMoment.test(name))) return null;
  const purpose = purposeOf(lettersOf(name), namesAround(place).map(lettersOf), moment === null);
  if (purpose === null) return null;
  const { at = "", otherAt, utcOffset = null } = moment ?? {};
  return {
    purpose,
    at,
    utcOffset,
    consequence: consequenceOf(consequenceBeside(place)),
    ...(otherAt === undefined ? {} : { otherAt }),
    ...(moment === null || moment.isUnread ? { unread: `${name} is “${text}”` } : {}),
  };
}

/** What the nearest object around states of the consequence. */
function consequenceBeside({ within }: Place): unknown {
  let place = within;
  for (let around = 0; around < objectsMax && place !== null; around += 1, place = place.within) {
    const stated = Object.entries(place.value as object).filter(([key]) => /consequence|inactioncode/i.test(key));
    if (stated.length > 0) return stated.map(([, value]) => value);
  }
  return undefined;
}

/** What is said farther away is said of something else. */
const objectsMax = 10;

/** Whether the name of the member, or the first one around that says more than that it is a time, may be a limit's. */
function mayNameLimit(name: string, within: Place | null): boolean {
  let own = name;
  let around = within;
  for (let depth = 0; depth < namesMax && around !== null && traitsOf(own).isBare; depth += 1) {
    own = around.name;
    around = around.within;
  }
  return traitsOf(own).mayBeLimit;
}

const traitsOf = remembered((name: string) => {
  const letters = lettersOf(name);
  return {
    isBare: bareNames.test(letters),
    mayBeLimit: !otherLimits.test(letters) && (/expir/.test(letters) || limitWords.test(letters)),
  };
});

/** Longer texts are no limits. */
const statedMax = 60;

/** The name of something that can only be a point in time. */
const namesMoment = /(?:date|time|limit|limit_?timestamp|deadline|by|until|before|after|ttl|frist)$/i;

function lettersOf(name: string): string {
  return name
    .slice(0, nameMax)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
}

/** A member's name may have any length. */
const nameMax = 60;

/**
 * What a limit is for, by the name of its member, or of one around if its own only says that it is a time.
 * @param isCertain whether only a name that can be nothing else counts.
 */
function purposeOf(name: string, around: readonly string[], isCertain: boolean): AirlineDeadline["purpose"] | null {
  const [own = "", ...others] = [name, ...around].filter((each) => !bareNames.test(each));
  const within = general.test(own) ? others.join(" ") : (others[0] ?? "");
  if (own === "paymentexpirationdatetime" && within === "timelimits") return null;
  if (otherLimits.test(own)) return null;
  const isWeak = /expir/.test(own) && !limitWords.test(own);
  if (isWeak && (isCertain || otherLimits.test(within) || !purposeWords.test(`${own} ${within}`))) return null;
  if (!isWeak && !limitWords.test(own)) return null;
  return /pay|ticket|issu|zahl/.test(`${own} ${within}`) ? "pay" : "act";
}

const bareNames = /^(?:|value|text|content|date|time|datetime|dateandtime|timestamp|at|utc|local|limit)$/;

/** Only what is around tells what they are for. */
const general = /^(?:timelimits?|deadlines?|limits?|due(?:date|time|datetime|at|by)?)$/;

const limitWords =
  /timelimit|deadline|^due|duedate|duetime|dueby|dueat|limitdate|autocancel|frist|^ttl$|^cancel(?:s|led|ed|lation)?(?:after|at|by|on|date|time)|^(?:option|hold)(?:date|time|until|till|end|expir)|last(?:ticket|pay)|latest(?:ticket|pay|act|respon|reply|answer|accept|confirm|decision)|(?:act|action|respond|respon[sc]e|reply|answer|accept|acceptance|confirm|confirmation|decide|decision|pay|payment|ticket|ticketing)(?:due|required|requested|needed)?(?:by|before|until|till|limit|ttl)/;
const purposeWords =
  /action|respon[sc]e|reply|answer|accept|confirm|pay|ticket|followup|hold|option|airlineinitiated|schedulechange|involuntary|disruption/;
/** Limits of something else than the order. */
const otherLimits =
  /offer|price|guarantee|passport|document|visa|card|birth|check|boarding|baggage|valid|loyalty|voucher|amount|fee|cancellationdate/;
