import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import { type Fact, unknown } from "../../kernel/fact.ts";
import { describeUnknownFact } from "../fact-labels.ts";
import { wordsForFlag, wordsForLimit, wordsForNotice, wordsForNumber, wordsForUnsettled } from "./condition-words.ts";
import type { LegalInput } from "./legal-input.ts";
import { markBefore } from "./marks.ts";
import {
  type LegalCondition,
  type LegalPreset,
  limitOf,
  type NoticeCondition,
  type NumberCondition,
} from "./preset.ts";
import { staysWithin } from "./scope.ts";
import { allTrue, anyTrue, missing, no, type Truth, yes } from "./truth.ts";

export interface Judged {
  readonly preset: LegalPreset;
  readonly journey: JourneyChange;
  readonly input: LegalInput;
}

export interface Judgement {
  readonly truth: Truth;
  readonly because: string;
}

/** Evaluates a condition for one journey. Never throws: an unreadable value is unknown and names its fact. */
export function judgeCondition(condition: LegalCondition, judged: Judged): Judgement {
  if ("any" in condition) {
    const parts = judgeUntil(true, condition.any, judged);
    return joined(parts, anyTrue(parts.map(({ truth }) => truth)), false);
  }
  if ("all" in condition) {
    const parts = judgeUntil(false, condition.all, judged);
    return joined(parts, allTrue(parts.map(({ truth }) => truth)), true);
  }
  if ("unsettled" in condition) {
    return { truth: missing(condition.unsettled), because: wordsForUnsettled(condition.unsettled) };
  }
  if ("toldLessThan" in condition) return judgeNotice(condition, judged);
  if ("flag" in condition) return judgeFlag(condition.flag, judged);
  return judgeNumber(condition, judged);
}

function judgeUntil(deciding: boolean, conditions: readonly LegalCondition[], judged: Judged): readonly Judgement[] {
  const parts: Judgement[] = [];
  for (const condition of conditions) {
    const part = judgeCondition(condition, judged);
    parts.push(part);
    if (part.truth.value === deciding) break;
  }
  return parts;
}

/** Names only what decided: the true part of an "or", the false part of an "and", else those that agree. */
function joined(parts: readonly Judgement[], truth: Truth, isAnd: boolean): Judgement {
  const isDecidedByOne = truth.value === !isAnd;
  if (isDecidedByOne) return { truth, because: parts.at(-1)!.because };
  const deciding =
    isAnd && truth.value === "unknown" ? parts : parts.filter((part) => part.truth.value === truth.value);
  return { truth, because: [...new Set(deciding.map(({ because }) => because))].join(isAnd ? " and " : ", ") };
}

type Flag = Extract<LegalCondition, { readonly flag: unknown }>["flag"];

function judgeFlag(flag: Flag, { journey, input }: Judged): Judgement {
  const fact: Fact<boolean> | undefined =
    flag === "assistanceRequested" ? input.facts.assistanceRequested : journey.facts[flag];
  if (fact?.known !== true || typeof fact.value !== "boolean") return unknownFact(flag, fact);
  return { truth: fact.value ? yes : no, because: wordsForFlag(flag, fact.value) };
}

function judgeNumber(condition: NumberCondition, judged: Judged): Judgement {
  const { fact: name } = condition;
  const { limit, isInclusive } = limitOf(condition);
  const fact: Fact<number> | undefined = judged.journey.facts[name];
  if (fact?.known !== true || typeof fact.value !== "number") return unknownFact(name, fact);
  const value = fact.value;
  const isOver = (bound: number) => (isInclusive ? value >= bound : value > bound);
  const deciding = (bound: number, kind = "") =>
    bound === 1
      ? wordsForNumber(name, value)
      : `${wordsForNumber(name, value)} (limit${kind}: ${wordsForLimit(condition, bound)})`;
  if (typeof limit === "number") return { truth: isOver(limit) ? yes : no, because: deciding(limit) };

  const domestic = isDomestic(judged);
  if (domestic.value === true)
    return { truth: isOver(limit.domestic) ? yes : no, because: deciding(limit.domestic, ", domestic") };
  if (domestic.value === false) {
    return { truth: isOver(limit.international) ? yes : no, because: deciding(limit.international, ", international") };
  }
  // Over both limits, or under both, the question which one counts does not matter.
  const bounds = [limit.domestic, limit.international].map(isOver);
  const truth = bounds[0] === bounds[1] ? (bounds[0] === true ? yes : no) : domestic;
  return { truth, because: `${deciding(limit.domestic, ", domestic")}, and an airport of the journey is not known` };
}

/** Whether the preset treats the journey as domestic; false if that makes no difference. */
export function isDomestic({ preset, journey }: Pick<Judged, "preset" | "journey">): Truth {
  return preset.domesticWithin === undefined ? no : staysWithin(preset.domesticWithin, journey);
}

/** Returns false while nobody has informed the traveller and the mark is ahead; unknown afterwards. */
function judgeNotice({ toldLessThan, inclusive }: NoticeCondition, { journey, input }: Judged): Judgement {
  const { now, context } = input;
  const words = wordsForNotice(toldLessThan);
  const mark = markBefore(journey.departure, toldLessThan);
  if (!mark.known) return unknownFact("noticeDays", mark);
  const isLate = (informedAt: Date) =>
    inclusive === true ? informedAt.getTime() >= mark.value : informedAt.getTime() > mark.value;
  const informedAt = context.travellerInformedAt;
  if (informedAt !== null && !Number.isNaN(informedAt.getTime())) {
    return isLate(informedAt)
      ? { truth: yes, because: `the traveller was told later than ${words} before departure` }
      : { truth: no, because: `the traveller was told ${words} before departure or earlier` };
  }
  return isLate(now)
    ? { truth: missing("noticeDays"), because: `nobody knows whether the traveller was told ${words} before departure` }
    : { truth: no, because: `the traveller can still be told ${words} before departure` };
}

function unknownFact(name: string, fact: Fact<unknown> | undefined): Judgement {
  const why = fact === undefined ? unknown("not-computed") : fact.known ? unknown("not-usable") : fact;
  return { truth: missing(name), because: describeUnknownFact(name, why) };
}
