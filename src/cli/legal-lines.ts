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

/** The rights that are open or may be, with their sources, whether there is a legal hold, and which laws cover the trip. */
export function formatLegal(
  legal: ShownLegal,
  facts: StoredFacts | null,
  { style, width }: { readonly style: Style; readonly width: number | null },
  mayBeAccepted = true,
): string[] {
  const { verdicts, hold, warnings } = legal;
  const isBlind = legal.journeys?.length === 0;
  const holdLine = isBlind && !mayBeAccepted ? null : describeHold(hold, mayBeAccepted);
  const open = verdicts.filter(({ verdict }) => verdict !== "not-entitled");
  return [
    ...(holdLine === null
      ? []
      : [`  ${hold.held ? style.warn(holdLine) : holdLine}`, ...hold.reasons.map((reason) => `  - ${reason}`)]),
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
    ...describeCoverage(legal, facts).map((sentence) => `  ${sentence}`),
    ...warnings.map((warning) => `  ${style.warn("Warning:")} ${warning}`),
  ];
}

function rightWords({ right, amount }: ShownVerdict): string {
  return amount === null ? nameRight(right) : `${nameRight(right)} of ${amount.currency} ${amount.value}`;
}

function unclearWords({ unknownFact }: ShownVerdict): string {
  return unknownFact === null ? "unclear" : `unclear: “${labelOfFact(unknownFact)}” is not known`;
}
