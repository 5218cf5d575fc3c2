import { describeStopper, nameAutomation } from "../kernel/automation-words.ts";
import { counted } from "../kernel/counted.ts";
import { printedIn } from "../travel/zones.ts";
import { plainWords } from "./plain-words.ts";
import type { AnnouncedStop, ClaimedNotice, NoticeRule, WaitingCase } from "./ports.ts";

/** A message in words, before a channel gives it its form. It names no traveller. */
export interface NoticeText {
  readonly subject: string;
  /** Why the reader gets it. */
  readonly reason: string;
  readonly cases: readonly NoticeLine[];
  /** Null if all cases are listed. */
  readonly more: string | null;
  /** Null if nobody knows under which URL people reach the dashboard. */
  readonly queueUrl: string | null;
}

export interface NoticeLine {
  readonly title: string;
  readonly detail: string;
  readonly url: string | null;
}

export interface NoticeSituation extends Pick<ClaimedNotice, "cases" | "total" | "overdue" | "nextDueBy"> {
  readonly now: Date;
  /** The address of the dashboard, without a slash at the end. */
  readonly baseUrl: string | null;
}

export function describeNotice(rule: NoticeRule, situation: NoticeSituation): NoticeText {
  const { cases, total, now, baseUrl } = situation;
  const hidden = total - cases.length;
  return inPlainWords({
    subject: subjectOf(rule, situation),
    reason: `Notice “${rule.name}”${scopeOf(rule)}. Times are those of ${rule.timeZone}, departures those of the airport.`,
    cases: cases.map((each) => describeCase(each, { timeZone: rule.timeZone, now, baseUrl })),
    more: hidden > 0 ? `… and ${hidden.toLocaleString("en")} more.` : null,
    queueUrl: queueUrlOf(rule, baseUrl),
  });
}

/** Says how to resume, because whoever reads it may never have stopped anything. */
export function describeStop(
  rule: NoticeRule,
  { source, stoppedAt, stoppedBy, note }: AnnouncedStop,
  { now, baseUrl }: Pick<NoticeSituation, "now" | "baseUrl">,
): NoticeText {
  const stopped = `stopped by ${describeStopper(stoppedBy)}, ${timeOf(stoppedAt.getTime(), rule.timeZone, now)}`;
  return inPlainWords(
    {
      subject: `${nameAutomation(source)} is stopped: agents decide each case`,
      reason: `Notice “${rule.name}”${scopeOf(rule)}. Times are those of ${rule.timeZone}.`,
      cases: [
        {
          title: note,
          detail: `${stopped}; a supervisor resumes it above any page of the dashboard`,
          url: baseUrl === null ? null : `${baseUrl}/policies`,
        },
      ],
      more: null,
      queueUrl: queueUrlOf(rule, baseUrl),
    },
    stopNoteMax,
  );
}

export function describeTest(rule: NoticeRule, baseUrl: string | null): NoticeText {
  return inPlainWords({
    subject: "Test of a notice: it arrived",
    reason: `Somebody sent a test of the notice “${rule.name}”. No case waits because of it.`,
    cases: [],
    more: null,
    queueUrl: queueUrlOf(rule, baseUrl),
  });
}

/** The only links of a message are our own, which stand apart from its words. */
function inPlainWords({ subject, reason, cases, ...rest }: NoticeText, titlesMax = titleMax): NoticeText {
  return {
    ...rest,
    subject: plainWords(subject, subjectMax),
    reason: plainWords(reason, reasonMax),
    cases: cases.map(({ title, detail, url }) => ({
      title: plainWords(title, titlesMax),
      detail: plainWords(detail, detailMax),
      url,
    })),
  };
}

/** Says how many are overdue, then the first deadline ahead. */
function subjectOf(rule: NoticeRule, { cases, total, overdue, nextDueBy, now }: NoticeSituation): string {
  const firstDue = total === 1 ? "due" : "first due";
  const due = [
    ...(overdue === 0 ? [] : [overdue === total ? "overdue" : `${overdue.toLocaleString("en")} overdue`]),
    ...(nextDueBy === null ? [] : [`${firstDue} ${timeOf(nextDueBy.getTime(), rule.timeZone, now)}`]),
  ];
  const verb = rule.when.type === "before-deadline" ? "still " : "";
  const need = counted(total, `case ${verb}needs action`, `cases ${verb}need action`);
  const [only] = cases;
  const about = total === 1 && only !== undefined ? [only.orderId] : [];
  return [need, ...due, ...about].join(", ");
}

interface LineContext extends Pick<NoticeSituation, "now" | "baseUrl"> {
  readonly timeZone: string;
}

function describeCase(waiting: WaitingCase, { timeZone, now, baseUrl }: LineContext): NoticeLine {
  const { id, orderId, headline, question, flights, dueBy, queue } = waiting;
  const about = question ?? headline;
  // Headlines usually name the flights.
  const named = new Set(about?.match(/[\p{L}\p{N}]+/gu));
  const unnamed = flights.filter((flight) => !named.has(flight.split("/")[0]!));
  const detail = [
    ...(dueBy === null ? [] : [`${dueBy > now ? "due" : "overdue since"} ${timeOf(dueBy.getTime(), timeZone, now)}`]),
    ...(unnamed.length === 0 ? [] : [unnamed.slice(0, flightsMax).map(flightOf).join(", ")]),
    ...describeDeparture(waiting, timeZone, now),
    queue === null ? "waits for the traveller" : `queue ${queue}`,
  ];
  return {
    title: `${orderId}: ${about ?? "Change not read yet"}`,
    detail: detail.join(" · "),
    url: baseUrl === null ? null : `${baseUrl}/cases/${id}`,
  };
}

/** In the airport's local time; in the rule's time zone, named, if that is unknown. */
function describeDeparture({ departure, departureAt }: WaitingCase, timeZone: string, now: Date): readonly string[] {
  if (departure !== null) {
    return [`departs ${dayAndTime(new Date(`${departure.local}Z`))} at ${departure.airport}`];
  }
  return departureAt === null ? [] : [`departs ${timeOf(departureAt.getTime(), timeZone, now)} (${timeZone})`];
}

const flightsMax = 4;

const subjectMax = 250;
const reasonMax = 2_000;
/** These lengths keep a message of `listedCasesMax` cases within the limits of every channel. */
const titleMax = 200;
const detailMax = 140;
/** There is only one in a message. */
const stopNoteMax = 900;

function flightOf(flight: string): string {
  return flight.replace("/", " on ");
}

function scopeOf({ queues, sources, priorityMax }: NoticeRule): string {
  const parts = [
    ...(queues === null ? [] : [`queue ${queues.join(", ")}`]),
    ...(sources === null ? [] : [`source ${sources.join(", ")}`]),
    ...(priorityMax >= 9 ? [] : [`priority 0 to ${priorityMax}`]),
  ];
  return parts.length === 0 ? "" : ` for ${parts.join("; ")}`;
}

function queueUrlOf({ queues, sources }: NoticeRule, baseUrl: string | null): string | null {
  if (baseUrl === null) return null;
  const query = new URLSearchParams({ order: "due" });
  if (queues?.length === 1) query.set("queue", queues[0]!);
  if (sources?.length === 1) query.set("source", sources[0]!);
  return `${baseUrl}/?${query.toString()}`;
}

/** `14:20` today, else with the day. */
function timeOf(at: number, timeZone: string, now: Date): string {
  const [then, today] = [printedIn(timeZone, at), printedIn(timeZone, now.getTime())];
  const isToday = then.toISOString().slice(0, 10) === today.toISOString().slice(0, 10);
  return isToday ? then.toISOString().slice(11, 16) : dayAndTime(then);
}

/** `Wed 2 Dec 14:20` @param printed as if its local time were UTC */
function dayAndTime(printed: Date): string {
  // `Wed, 02 Dec 2026 14:20:00 GMT`
  const [weekday, day, month, , time = ""] = printed.toUTCString().split(/,? /);
  return `${weekday} ${Number(day)} ${month} ${time.slice(0, 5)}`;
}
