import { describeUnknown, labelOfFact } from "../../../policy/fact-labels.ts";
import { nameLaw, nameRight } from "../../../policy/legal/law-words.ts";
import type { CaseView } from "../api/responses.ts";

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
export function adviseOnRights(verdicts: readonly RightVerdict[], mayBeAccepted = true): readonly RightAdvice[] {
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
        advice: adviceFor(group, isCertain, mayBeAccepted),
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
  return laws.length === 0 ? [] : [`the right to ${nameRight("refund-or-rerouting")} (${laws.join(", ")})`];
}

function adviceFor(group: readonly RightVerdict[], isCertain: boolean, mayBeAccepted: boolean): string {
  const { right, preset, journey } = group[0]!;
  const amount = group.find((each) => each.amount !== null)?.amount;
  const what = `${nameRight(right)}${amount == null ? "" : ` of ${amount.currency} ${amount.value} per passenger`}`;
  const where = `${nameLaw(preset)}${journey === null ? "" : `, ${journey}`}`;
  if (isCertain) return `Offer ${what} (${where}).`;
  return `Check${mayBeAccepted ? " before you accept" : ""}: ${what} may be due (${where}).`;
}

/** Earlier decisions name facts and reasons by their ids: `cabinDowngraded is not known (unknown-cabin)`. */
function explain(because: string): string {
  return because.replaceAll(
    /\b(\w+) is not known \(([\w-]+)\)/g,
    (_, fact: string, reason: string) => `“${labelOfFact(fact)}” is not known (${describeUnknown(reason)})`,
  );
}
