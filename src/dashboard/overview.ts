import { type DecisionAction, decisionActions } from "../cases/decision.ts";
import { printedIn } from "../travel/zones.ts";
import {
  type AgeName,
  ageNames,
  type OpenWork,
  type OverviewFigure,
  type OverviewQueries,
  type OverviewRange,
  type OverviewSum,
  type ProposalFigures,
  type RangeFigures,
  type TimeFigures,
  timeBucketsPerDoubling,
  type WorkNow,
} from "./overview-ports.ts";

export async function readOverview(
  queries: OverviewQueries,
  range: OverviewRange,
  zone: string,
  now: Date,
): Promise<{ readonly now: WorkNow; readonly range: RangeFigures }> {
  const [work, sums] = await Promise.all([queries.readOpenWork(range, now), queries.readSums(range)]);
  return { now: workNowOf(work), range: figuresOf(sums, range, zone) };
}

function workNowOf({ cases, ...work }: OpenWork): WorkNow {
  const bySeverity = new Map<OpenWork["cases"][number]["severity"], Record<AgeName, number>>();
  const ages = noAges();
  for (const { severity, age, count } of cases) {
    const own = bySeverity.get(severity) ?? noAges();
    bySeverity.set(severity, own);
    own[age] += count;
    ages[age] += count;
  }
  return {
    ...work,
    open: sumOf(ages),
    ages,
    severities: severityOrder.flatMap((severity) => {
      const own = bySeverity.get(severity);
      return own === undefined ? [] : [{ severity, open: sumOf(own), ages: own }];
    }),
  };
}

const severityOrder = ["critical", "major", "minor", "improvement", "none", null] as const;

function noAges(): Record<AgeName, number> {
  return { hour: 0, "four-hours": 0, day: 0, older: 0 };
}

function sumOf(ages: WorkNow["ages"]): number {
  return ageNames.reduce((sum, name) => sum + ages[name], 0);
}

// ---------------------------------------------------------------------------------------------- in a range of time

const airlinesMax = 15;

export function figuresOf(
  sums: readonly OverviewSum[],
  { from, to }: Pick<OverviewRange, "from" | "to">,
  zone: string,
): RangeFigures {
  const of = (figure: OverviewFigure) => sums.filter((sum) => sum.figure === figure);
  const count = (figure: OverviewFigure, name = "", part = "") =>
    of(figure).reduce((all, sum) => all + (sum.name === name && sum.part === part ? Number(sum.value) : 0), 0);
  const proposals = of("proposal");
  const step = to.getTime() - from.getTime() <= hourlyUpToMs ? "hour" : "day";
  const airlines = [...groupBy(of("airline"), ({ name }) => name)]
    .map(([airline, own]) => ({ airline: airline === "" ? null : airline, ...proposalsOf(own, ({ part }) => part) }))
    .sort((a, b) => b.decided - a.decided || compareText(a.airline ?? "", b.airline ?? ""));
  return {
    from,
    to,
    notifications: count("notification"),
    decisions: { policy: count("decision", "policy"), people: count("decision", "person") },
    proposals: proposalsOf(proposals, ({ name }) => name),
    step,
    overTime: overTimeOf(proposals, { from, to, step, zone }),
    airlines: airlines.slice(0, airlinesMax),
    otherAirlines: addUp(airlines.slice(airlinesMax)),
    timeToDecision: { policy: timesOf(of("time"), "policy"), people: timesOf(of("time"), "person") },
    deadlinesMissed: count("overdue"),
    effects: {
      accepts: count("effect", "accept", "succeeded"),
      cancels: count("effect", "cancel", "succeeded"),
      failed: count("effect", "accept", "failed") + count("effect", "cancel", "failed"),
    },
    rules: rulesOf(of("review"), of("answer")),
    refunds: refundsOf(of("refund")),
  };
}

const hourMs = 3_600_000;
const hourlyUpToMs = 48 * hourMs;

const figureOfAction: Readonly<Record<DecisionAction, Exclude<keyof ProposalFigures, "decided">>> = {
  accept: "accepted",
  cancel: "cancelled",
  "ask-traveller": "asked",
  wait: "waited",
  review: "reviewed",
  none: "closed",
};

function proposalsOf(sums: readonly OverviewSum[], actionOf: (sum: OverviewSum) => string): ProposalFigures {
  const counts = noProposals();
  for (const action of decisionActions) {
    const own = sums.reduce((all, sum) => all + (actionOf(sum) === action ? Number(sum.value) : 0), 0);
    counts[figureOfAction[action]] += own;
    counts.decided += own;
  }
  return counts;
}

function noProposals(): { -readonly [Name in keyof ProposalFigures]: number } {
  return { decided: 0, accepted: 0, cancelled: 0, asked: 0, waited: 0, reviewed: 0, closed: 0 };
}

function addUp(all: readonly ProposalFigures[]): ProposalFigures {
  const total = noProposals();
  for (const each of all) for (const name of proposalNames) total[name] += each[name];
  return total;
}

const proposalNames = Object.keys(noProposals()) as readonly (keyof ProposalFigures)[];

/** Days begin at midnight of the zone. Sums are by hours of UTC, so where a zone is off by half an hour, so are its days. */
function overTimeOf(
  sums: readonly OverviewSum[],
  {
    from,
    to,
    step,
    zone,
  }: { readonly from: Date; readonly to: Date; readonly step: "hour" | "day"; readonly zone: string },
): RangeFigures["overTime"] {
  const nameOf = (hour: Date) =>
    step === "hour" ? hour.toISOString() : printedIn(zone, hour.getTime()).toISOString().slice(0, 10);
  const byHour = groupBy(sums, ({ hour }) => hour?.getTime() ?? 0);
  const points = new Map<string, ProposalFigures>();
  for (let at = Math.floor(from.getTime() / hourMs) * hourMs; at < to.getTime(); at += hourMs) {
    const name = nameOf(new Date(at));
    const own = proposalsOf(byHour.get(at) ?? [], (sum) => sum.name);
    points.set(name, addUp([points.get(name) ?? noProposals(), own]));
  }
  return [...points].map(([at, counts]) => ({ at, ...counts }));
}

function timesOf(sums: readonly OverviewSum[], decider: string): TimeFigures {
  const buckets = sums
    .filter(({ name }) => name === decider)
    .map(({ part, value }) => ({ bucket: Number(part), count: Number(value) }))
    .sort((a, b) => a.bucket - b.bucket);
  const count = buckets.reduce((all, bucket) => all + bucket.count, 0);
  return { count, medianSeconds: quantile(buckets, count, 0.5), p90Seconds: quantile(buckets, count, 0.9) };
}

/** Within a bucket, which is 9 % wide, times are taken as evenly spread. */
function quantile(
  buckets: readonly { readonly bucket: number; readonly count: number }[],
  total: number,
  share: number,
): number | null {
  let below = 0;
  for (const { bucket, count } of buckets) {
    if (below + count >= share * total)
      return 2 ** ((bucket + (share * total - below) / count) / timeBucketsPerDoubling);
    below += count;
  }
  return null;
}

function rulesOf(reviews: readonly OverviewSum[], outcomes: readonly OverviewSum[]): RangeFigures["rules"][number][] {
  const decided = groupBy(outcomes, ({ name }) => name);
  const asked = groupBy(reviews, ({ name }) => name);
  return [...new Set([...asked.keys(), ...decided.keys()])]
    .map((rule) => {
      const { accepted, cancelled, closed } = proposalsOf(decided.get(rule) ?? [], ({ part }) => part);
      const count = (asked.get(rule) ?? []).reduce((all, { value }) => all + Number(value), 0);
      return { rule, reviews: count, accepted, cancelled, closed };
    })
    .sort((a, b) => b.reviews - a.reviews || compareText(a.rule, b.rule));
}

function refundsOf(sums: readonly OverviewSum[]): RangeFigures["refunds"][number][] {
  return [...groupBy(sums, ({ name }) => name)]
    .map(([currency, own]) => {
      const valueOf = (part: string) => own.find((sum) => sum.part === part)?.value ?? "0";
      return {
        currency: currency === "" ? null : currency,
        cancels: Number(valueOf("cancels")),
        expected: valueOf("expected"),
        answered: valueOf("answered"),
        stated: Number(valueOf("stated")),
      };
    })
    .sort((a, b) => b.cancels - a.cancels || compareText(a.currency ?? "", b.currency ?? ""));
}

function groupBy<Key>(sums: readonly OverviewSum[], keyOf: (sum: OverviewSum) => Key): Map<Key, OverviewSum[]> {
  const groups = new Map<Key, OverviewSum[]>();
  for (const sum of sums) {
    const key = keyOf(sum);
    const own = groups.get(key) ?? [];
    groups.set(key, own);
    own.push(sum);
  }
  return groups;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
