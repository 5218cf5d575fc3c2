import { digestOfValue } from "../kernel/digest.ts";
import type { passenger as passengerElement } from "./elements/passengers.ts";
import { textOf } from "./lenient-value.ts";
import type { Stated } from "./stated.ts";

/**
 * A passenger's name as SHA-256 (hex) of each spelling that a gateway may give it, so that names are compared without
 * being kept.
 */
export interface NameDigests {
  readonly whole: readonly string[];
  /** Without the middle name; empty if none is stated apart from the first name. */
  readonly withoutMiddle: readonly string[];
}

/**
 * Reads the name of a passenger; null if none is stated. Letter case, accents and their encoding, apostrophes, hyphens,
 * blanks, and titles and passenger types that were appended do not matter. `SILVA/ANA MRS` may stand in the last name.
 */
export function readNameDigests(passenger: Stated<typeof passengerElement>): NameDigests | null {
  const [lastName, firstName, middleName] = [passenger?.LastName, passenger?.FirstName, passenger?.MiddleName].map(
    (part) => (textOf(part) ?? "").replace(infant, ""),
  ) as [string, string, string];
  const [beforeSlash, afterSlash = ""] = firstName === "" ? lastName.split("/") : [lastName];
  const last = withoutTitles(wordsOf(beforeSlash!)).join("");
  const given = withoutTitles(wordsOf(firstName || afterSlash));
  const middle = wordsOf(middleName).filter((word) => !titles.has(word));
  const isTitled = middle.length === 0 && given.length > 1 && given.at(-1) === letterTitle;
  if (last === "" && given.length === 0) return null;
  return {
    whole: [
      ...new Set([...digestsOf(last, [...given, ...middle]), ...(isTitled ? digestsOf(last, given.slice(0, -1)) : [])]),
    ],
    withoutMiddle: middle.length === 0 ? [] : digestsOf(last, given),
  };
}

/**
 * Reads the first name as people write it: without titles, and ANA MARIA as Ana Maria. Null if none is stated, or only behind
 * the last name.
 */
export function readFirstName(passenger: Stated<typeof passengerElement>): string | null {
  const stated = (textOf(passenger?.FirstName) ?? "").replace(infant, "").split(/\s+/);
  const name = withoutTitles(stated.filter((word) => word !== "")).join(" ");
  if (name === "") return null;
  if (name !== name.toUpperCase()) return name;
  return name.replaceAll(/\p{L}[\p{L}\p{M}]*/gu, (word) => `${word[0]}${word.slice(1).toLowerCase()}`);
}

/**
 * Whether two names can be one person's. Müller is MUELLER and MULLER, but these two are not each other: nobody can
 * tell. A middle name counts if both state one.
 */
export function isSameName(a: NameDigests, b: NameDigests): boolean {
  return isAnyIn(a.whole, b.whole) || isAnyIn(a.withoutMiddle, b.whole) || isAnyIn(a.whole, b.withoutMiddle);
}

function isAnyIn(digests: readonly string[], others: readonly string[]): boolean {
  return digests.some((digest) => others.includes(digest));
}

function wordsOf(name: string): readonly string[] {
  return name
    .toUpperCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "");
}

/** Keeps a name that is nothing but a title. */
function withoutTitles(words: readonly string[]): readonly string[] {
  const name = [...words];
  while (name.length > 1 && titles.has(name.at(-1)!.toUpperCase())) name.pop();
  while (name.length > 1 && titles.has(name[0]!.toUpperCase())) name.shift();
  return name;
}

/** With passenger types, which are appended in the same way. SR is missing: it may tell a father from his son. */
const titles: ReadonlySet<string> = new Set([
  ...["MR", "MRS", "MS", "MISS", "MSTR", "MST", "MASTER", "MISTER", "MX", "DR", "DRA", "PROF", "SIR", "LADY", "LORD"],
  ...["REV", "CAPT", "ENG", "ING", "SRA", "SRTA", "SIG", "SIGRA", "SIGNA", "SENHOR", "SENHORA", "SENOR", "SENORA"],
  ...["SENORITA", "DONA", "MME", "MLLE", "HERR", "FRAU", "HR", "FR", "MAG", "DIPL"],
  ...["ADT", "CHD", "CNN", "INF", "INS"],
]);

/** For Monsieur, or a second name: behind the first name, the name is compared with and without it. */
const letterTitle = "M";

/** An infant without a seat is appended to the name of the adult: `ANA(INFSILVA/TIM)`. */
const infant = /\(\s*INF[^()]*\)\s*$/i;

/** Some systems append them without a blank: ANAMRS. Names end in MS and DR, so these are missing. */
const joinedTitle = /(?<=..)(?:MRS?|MISS|MSTR|ADT|CHD|CNN|INF)$/;

function digestsOf(last: string, given: readonly string[]): readonly string[] {
  const joined = given.join("");
  const names = [...new Set([joined, joined.replace(joinedTitle, "")])];
  const spellings = names.flatMap((name) => spellingsOf(`${last}/${name}`));
  return [...new Set(spellings)].map(digestOfValue);
}

/** Letters that are written in two ways in A to Z, as airlines do, the shorter one first. */
const twoWays: readonly (readonly [letter: string, replacements: readonly string[]])[] = [
  ["Ä", ["A", "AE"]],
  ["Ö", ["O", "OE"]],
  ["Ü", ["U", "UE"]],
  ["Å", ["A", "AA"]],
  ["Ø", ["O", "OE"]],
];

/** Letters that have no accent to drop. Upper case has turned ß into SS. */
const oneWay: Readonly<Record<string, string>> = {
  Æ: "AE",
  Œ: "OE",
  ẞ: "SS",
  Ł: "L",
  Đ: "D",
  Ð: "D",
  Þ: "TH",
  Ħ: "H",
  Ŧ: "T",
};

/** Returns every spelling in plain letters: each letter of two ways in both, the same one throughout. */
function spellingsOf(name: string): readonly string[] {
  if (isPlain.test(name)) return [name];
  const composed = name.normalize("NFC");
  const spellings = twoWays.reduce<readonly string[]>(
    (texts, [letter, replacements]) =>
      composed.includes(letter)
        ? texts.flatMap((text) => replacements.map((replacement) => text.replaceAll(letter, replacement)))
        : texts,
    [composed],
  );
  return spellings.map(toPlainLetters);
}

/** Most names have no other letters. */
const isPlain = /^\p{ASCII}*$/u;

/** Drops accents, and signs such as the apostrophe of Hawaiian, which are letters to Unicode. */
function toPlainLetters(text: string): string {
  return text
    .replaceAll(/[ÆŒẞŁĐÐÞĦŦ]/g, (letter) => oneWay[letter]!)
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Lm}]/gu, "");
}
