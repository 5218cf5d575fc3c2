import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseActionParameter } from "../../../cases/case-command.ts";
import { parseInstant } from "../labels/moments.ts";
import { type ActionCommand, type ActionDraft, actionWords, parameterFields } from "./case-actions.ts";

const names = Object.keys(parameterFields) as readonly CaseActionParameter[];

export const emptyDraft = Object.fromEntries([
  ["note", ""],
  ...names.map((name) => [name, initialOf(name)]),
]) as ActionDraft;

function initialOf(name: CaseActionParameter): string {
  const field = parameterFields[name];
  return "initial" in field ? field.initial : "";
}

/**
 * Null as long as something is missing.
 *
 * @param confirmation The text that must be typed to confirm a cancel.
 * @param alsoConfirms What may be typed instead.
 */
export function readDraft(
  action: CaseActionName,
  draft: ActionDraft,
  confirmation: string,
  alsoConfirms: readonly string[] = [],
): ActionCommand | null {
  const { fields = [], needsNote } = actionWords[action];
  const note = draft.note.trim();
  if (note === "" && needsNote?.(draft) === true) return null;
  const given = fields
    .flat()
    .map((name) => [name, readField(name, draft[name], [confirmation, ...alsoConfirms])] as const);
  if (given.some(([, value]) => value === undefined)) return null;
  return { action, ...(note === "" ? {} : { note }), ...Object.fromEntries(given) };
}

/** Undefined as long as it is missing. */
function readField(
  name: CaseActionParameter,
  held: string,
  confirmations: readonly string[],
): string | null | undefined {
  switch (parameterFields[name].kind) {
    case "confirmation":
      return confirmations.includes(held.trim().toUpperCase()) || confirmations.includes(held.trim())
        ? confirmations[0]
        : undefined;
    case "past":
    case "future":
      return parseInstant(held)?.toISOString();
    case "person":
      return held.trim() === "" ? null : held.trim();
    case "text":
      return held.trim() === "" ? undefined : held.trim();
    case "choice":
    case "approval":
      return held === "" ? undefined : held;
  }
}
