import type { StatementClass } from "../contract/statement-class.ts";
import { wordsIn } from "../contract/words-in.ts";
import { formOf } from "../itinerary/member-marks.ts";

/** What was observed of one path. */
export interface ObservedPath {
  readonly path: string;
  /** How many orders stated it. */
  readonly orders: number;
  readonly values: readonly ObservedValue[];
}

export interface ObservedValue {
  readonly class: StatementClass;
  /** As it is or masked. */
  readonly example: string | null;
  readonly orders: number;
}

/** Fewer could be all the codes that there are. */
const keysMin = 20;

/** A key stands in few orders. What stands in more of them, as `HK` does, is a status. */
const keyShareMax = 0.1;

/** By chance a key is a word that tells to stop. Where more are, words are stated. */
const stopShareMax = 0.05;

/** With fewer values of a form, nobody can tell whether they are keys. */
const valuesOfFormMin = 3;

/**
 * Returns the forms of the codes at a path that are keys, such as sign-ins of agents: nearly every order has another one.
 * None if values tell to stop, if one stands in many orders, or if the name is that of a status or a reason. So a code
 * of another form, and every order to stop, is still marked by its value.
 */
export function keyFormsOf({ path, orders, values }: ObservedPath): readonly string[] {
  const codes = values.filter((value) => value.class === "code");
  const stops = values.length - codes.length;
  if (codes.length < keysMin || stops > codes.length * stopShareMax || isOfOutcome(path)) return [];
  if (values.some((value) => value.orders > Math.max(1, orders * keyShareMax))) return [];
  const counts = new Map<string, number>();
  for (const { example } of codes) {
    const form = example === null ? "" : formOf(example);
    if (keyForm.test(form)) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const forms = [...counts].filter(([, count]) => count >= valuesOfFormMin);
  const keys = forms.reduce((sum, [, count]) => sum + count, 0);
  return keys < keysMin ? [] : forms.map(([form]) => form).sort();
}

/** A row of capitals or small letters, with digits or without: no word as people write it. */
const keyForm = /^(?=.{2,16}$)(?:[X9]+(?:[-_/][X9]+)*|[x9]+(?:[-_/][x9]+)*)$/;

/** Whether the innermost name that says anything is that of something that gets another value as the change goes on. */
function isOfOutcome(path: string): boolean {
  const name = path.split(".").findLast((step) => !/^(?:[@#]?(?:value|code|text)|\*)$/i.test(step)) ?? path;
  return outcomes.test(wordsIn(name));
}

const outcomes =
  /status|\b(?:sts|stat|stati|states?|reasons?|actions?|advices?|indicators?|flags?|results?|outcomes?|dispositions?|decisions?|verdicts?|conditions?|causes?|phases?|stages?|steps?|hints?|stato|estado|etat|statut|zustand|grund|situacion|situacao|motivo|motif|accion|azione|acao)\b/;
