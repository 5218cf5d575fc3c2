/**
 * What foreign text may not do to whoever reads it. Nobody sees these characters: controls, which move the cursor or
 * write the clipboard of a terminal; line ends, which begin a line that seems to be ours; and characters that Unicode
 * calls formats or ignorable, such as U+200B and those that reorder text.
 */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

export function hasInvisible(text: string): boolean {
  return invisible.test(text);
}

/** Puts a blank for each control and line end, and leaves out what else nobody sees. Columns and indents stay. */
export function toVisible(text: string): string {
  return invisible.test(text) ? text.replace(control, " ").replace(unseen, "") : text;
}

/** As `toVisible`, with one blank between words. */
export function toOneLine(text: string): string {
  return toVisible(text).replaceAll(/\s+/g, " ").trim();
}

/** Writes what `JSON.stringify` leaves in texts, such as U+009B and U+202E, as `\u009b`. Line ends of JSON stay. */
export function escapeInvisible(json: string): string {
  return invisibleInJson.test(json) ? json.replaceAll(eachInvisibleInJson, escapeUnits) : json;
}

const invisibleInJson = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const eachInvisibleInJson = new RegExp(invisibleInJson, "gu");

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
