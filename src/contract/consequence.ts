import { isRecord } from "../kernel/record.ts";
import { statesAnything, textOf } from "./lenient-value.ts";
import type { AirlineDeadline } from "./order-view.ts";
import { acceptances, cancellations, otherMeanings } from "./stop-words.ts";
import { wordsIn } from "./words-in.ts";

/** Reads what the airline does if nobody acts in time, as a code, in words, or in parts of an object or a list. */
export function consequenceOf(stated: unknown): AirlineDeadline["consequence"] {
  const texts = textsIn(stated, 0);
  if (texts.length === 0) return "not-stated";
  const words = texts.map((text) => wordsIn(text).replaceAll(otherMeanings, " ")).join(" ");
  if (uncertain.test(words)) return "unknown-code";
  const [isCancelled, isAccepted] = [cancellations.test(words), acceptances.test(words)];
  if (isCancelled === isAccepted) return "unknown-code";
  return isCancelled ? "cancelled" : "accepted";
}

/** Somebody else decides, or the words are about what does not happen or what it costs. */
const uncertain =
  /\b(?:not?|non|never|without|unless|nicht|kein\w*|ohne|sin|sans|pas|ne|sem|nao|senza|may|might|can|could|possib\w*|kann|fees?|penalt\w*|charges?|gebue?hr\w*|free|allowed|permitted|manual\w*)\b/;

/** Parts lie no deeper. */
const depthMax = 4;

function textsIn(stated: unknown, depth: number): readonly string[] {
  if (!statesAnything(stated) || depth > depthMax) return [];
  if (Array.isArray(stated) || isRecord(stated))
    return Object.values(stated).flatMap((part) => textsIn(part, depth + 1));
  const text = textOf(stated);
  return text === null ? [] : [text];
}
