import { describeUnknown, labelOfFact } from "../../../policy/fact-labels.ts";
import type { CaseView } from "../api/responses.ts";
import { toLabel } from "./state-words.ts";

type Legal = NonNullable<CaseView["decisions"][number]["legal"]>;
type RightVerdict = Legal["verdicts"][number];

/** What to offer, until when, and why: the open rights of one kind under one law on one journey. */
export interface RightAdvice {
  readonly key: string;
  /** Whether the traveller has the right; otherwise they may have it. */
  readonly isCertain: boolean;
  readonly advice: string;
  readonly deadlines: RightVerdict["clocks"];
  /** Sentences. */
  readonly reasons: readonly { readonly text: string; readonly source: string; readonly note: string | null }[];
}

/** Certain ones first. */
export function adviseOnRights(verdicts: readonly RightVerdict[]): readonly RightAdvice[] {
  const open = verdicts.filter(({ verdict }) => verdict !== "not-entitled");
  const groups = new Map<string, RightVerdict[]>();
  for (const each of open) {
    const key = `${each.preset} ${each.right} ${each.journey ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups]
    .map(([key, group]) => {
      const isCertain = group.some(({ verdict }) => verdict === "entitled");
      const clocks = group.flatMap((each) => each.clocks).filter(({ dueAt }) => dueAt !== null);
      return {
        key,
        isCertain,
        advice: adviceFor(group, isCertain),
        deadlines: clocks.filter((clock, position) => clocks.findIndex(({ name }) => name === clock.name) === position),
        reasons: group.map((each) => ({
          text: `${each.title}: ${explain(each.because)}.`,
          source: `${each.citation}, ${each.paragraph}`,
          note: each.note,
        })),
      };
    })
    .toSorted((one, other) => Number(other.isCertain) - Number(one.isCertain));
}

/** What accepting may give up, each as a noun: `the right to a refund or another flight (EU261)`. Nothing else is lost. */
export function rightsLostByAccepting(verdicts: readonly RightVerdict[]): readonly string[] {
  const open = verdicts.filter(({ right, verdict }) => right === "refund-or-rerouting" && verdict !== "not-entitled");
  const laws = [...new Set(open.map(({ preset }) => nameLaw(preset)))];
  return laws.length === 0 ? [] : [`the right to ${rightWords["refund-or-rerouting"]} (${laws.join(", ")})`];
}

function adviceFor(group: readonly RightVerdict[], isCertain: boolean): string {
  const { right, preset, journey } = group[0]!;
  const amount = group.find((each) => each.amount !== null)?.amount;
  const what = `${rightWords[right] ?? toLabel(right).toLowerCase()}${
    amount == null ? "" : ` of ${amount.currency} ${amount.value} per passenger`
  }`;
  const where = `${nameLaw(preset)}${journey === null ? "" : `, ${journey}`}`;
  return isCertain ? `Offer ${what} (${where}).` : `Check before you accept: ${what} may be due (${where}).`;
}

const rightWords: Readonly<Record<string, string>> = {
  "refund-or-rerouting": "a refund or another flight",
  compensation: "compensation",
  "partial-refund": "a partial refund",
};

const lawNames: Readonly<Record<string, string>> = {
  "us-dot-260": "US DOT",
  "eu-261": "EU261",
  "eu-261-2026": "EU261 as of 2026",
  "uk-261": "UK261",
  "ca-appr": "Canada APPR",
  "br-anac-400": "Brazil ANAC 400",
  "in-dgca": "India DGCA",
  "tr-shy-yolcu": "Türkiye SHY-Yolcu",
};

export function nameLaw(preset: string): string {
  return lawNames[preset] ?? preset;
}

/** Names facts and reasons in words: `cabinDowngraded is not known (unknown-cabin)`. */
function explain(because: string): string {
  return because.replaceAll(
    /\b(\w+) is not known \(([\w-]+)\)/g,
    (_, fact: string, reason: string) =>
      `it is unknown whether this holds: “${labelOfFact(fact)}”, because ${describeUnknown(reason)}`,
  );
}
