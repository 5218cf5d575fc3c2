import type { StoredFacts } from "../itinerary/hidden-change.ts";
import { labelOfFact } from "../policy/fact-labels.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { type Coverage, describeCoverage } from "../policy/legal/coverage-words.ts";
import { describeHold } from "../policy/legal/hold-words.ts";
import { nameLaw, nameRight } from "../policy/legal/law-words.ts";
import type { Style } from "./style.ts";
import { formatTable } from "./table.ts";

type ShownVerdict = Pick<
  LegalAssessment["verdicts"][number],
  "preset" | "title" | "verdict" | "unknownFact" | "paragraph" | "journey"
> & { readonly right: string; readonly amount: { readonly value: string; readonly currency: string } | null };

export interface ShownLegal extends Coverage {
  readonly verdicts: readonly ShownVerdict[];
  readonly hold: { readonly held: boolean; readonly reasons: readonly string[] };
  readonly warnings: readonly string[];
}

interface LegalLinesOptions {
  readonly style: Style;
  readonly width: number | null;
  /** Whether the gateway offers to accept the change, and nobody has. */
  readonly mayBeAccepted: boolean;
}

/** The rights that are open or may be, with their sources, whether there is a legal hold, and which laws cover the trip. */
export function formatLegal(
  legal: ShownLegal,
  facts: StoredFacts | null,
  { style, width, mayBeAccepted }: LegalLinesOptions,
): string[] {
  const { verdicts, hold, warnings } = legal;
  // Without a booked flight the hold stands for no right that was found: it only keeps the change from being accepted.
  const isBlind = legal.journeys?.length === 0;
  const holdLine = isBlind && !mayBeAccepted ? null : describeHold(hold, mayBeAccepted);
  const reasons = holdLine === null ? [] : hold.reasons;
  const coverage = describeCoverage(legal, facts).filter((sentence) => !reasons.includes(sentence));
  const open = verdicts.filter(({ verdict }) => verdict !== "not-entitled");
  return [
    ...(holdLine === null ? [] : [`  ${hold.held ? style.warn(holdLine) : holdLine}`]),
    ...reasons.map((reason) => `  - ${reason}`),
    ...(open.length === 0
      ? []
      : formatTable(
          [
            { title: "Law" },
            { title: "Right" },
            { title: "Verdict" },
            { title: "Because", flexible: true },
            { title: "Where" },
          ],
          open.map((each) => [
            nameLaw(each.preset),
            rightWords(each),
            each.verdict === "entitled" ? style.warn("entitled") : unclearWords(each),
            each.title + (each.journey === null ? "" : ` (${each.journey})`),
            each.paragraph,
          ]),
          { width, titleStyle: style.dim, indent: "  ", wrap: true },
        )),
    ...coverage.map((sentence) => `  ${sentence}`),
    ...warnings.map((warning) => `  ${style.warn("Warning:")} ${warning}`),
  ];
}

function rightWords({ right, amount }: ShownVerdict): string {
  return amount === null ? nameRight(right) : `${nameRight(right)} of ${amount.currency} ${amount.value} per passenger`;
}

function unclearWords({ unknownFact }: ShownVerdict): string {
  return unknownFact === null ? "unclear" : `unclear: “${labelOfFact(unknownFact)}” is not known`;
}
