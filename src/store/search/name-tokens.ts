import { findTravellerWords } from "../../contract/find-traveller-words.ts";
import type { TravellerWords } from "../../contract/read-data-lists.ts";
import type { Encryption } from "../database/encryption.ts";

/** The tokens that find the travellers whom a word may name. */
export type TokensOf = (word: string) => readonly string[];

type Keyed = Pick<Encryption, "tokenOf" | "tokensOf">;

/** A group of a hundred has about three thousand. */
const tokensMax = 4_000;

const namePrefixMin = 3;
const ticketPrefixMin = 6;
/** So many characters of a longer word can be searched. */
const prefixMax = 20;

/** The tokens by which the travellers of an order view are found. */
export function tokensOfView(keyed: Keyed, json: unknown): readonly string[] {
  return tokensOfTravellers(keyed, findTravellerWords(json));
}

export function tokensOfTravellers({ tokenOf }: Keyed, travellers: TravellerWords): readonly string[] {
  return storedTerms(travellers).slice(0, tokensMax).map(tokenOf);
}

/** One of these is stored where a name or a ticket number begins with the word. Empty if it can be neither. */
export function tokensOfWord({ tokensOf }: Keyed, word: string): readonly string[] {
  return searchedTerms(word).flatMap(tokensOf);
}

function storedTerms({ names, ticketNumbers }: TravellerWords): readonly string[] {
  const words = names.flatMap(spellingsOf).flatMap((name) => {
    const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
    return [...parts, parts.join("")];
  });
  const numbers = ticketNumbers.flatMap((ticketNumber) => {
    const digits = digitsOf(ticketNumber);
    return digits.length === 13 ? [digits, digits.slice(3)] : [digits];
  });
  const terms = [
    ...words.filter(isShort).map((word) => `whole ${word}`),
    ...words.flatMap((word) => prefixesOf(word, namePrefixMin)).map((prefix) => `name ${prefix}`),
    ...numbers.flatMap((number) => prefixesOf(number, ticketPrefixMin)).map((prefix) => `ticket ${prefix}`),
  ];
  return [...new Set(terms)];
}

function searchedTerms(word: string): readonly string[] {
  const digits = digitsOf(word);
  if (/^[\d-]+$/.test(word)) return digits.length < ticketPrefixMin ? [] : [`ticket ${prefixOf(digits, prefixMax)}`];
  if (digits !== "") return [];
  return spellingsOf(word)
    .map((spelling) => spelling.replaceAll(/[^\p{L}]/gu, ""))
    .filter((spelling) => spelling !== "")
    .map((spelling) => (isShort(spelling) ? `whole ${spelling}` : `name ${prefixOf(spelling, prefixMax)}`));
}

function isShort(word: string): boolean {
  return word !== "" && [...word].length < namePrefixMin;
}

function prefixesOf(word: string, min: number): readonly string[] {
  const { length } = [...prefixOf(word, prefixMax)];
  return Array.from({ length: Math.max(0, length - min + 1) }, (_, index) => prefixOf(word, min + index));
}

function prefixOf(word: string, length: number): string {
  return [...word].slice(0, length).join("");
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

/** As gateways may write a name, in capitals and without accents: MUELLER and MULLER for Müller. */
export function spellingsOf(text: string): readonly string[] {
  return [...new Set([fold(text), fold(transliterate(text))])];
}

function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase();
}

const transliterations: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  å: "aa",
  æ: "ae",
  ø: "oe",
};

/** As machine-readable passports do. */
function transliterate(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[äöüßåæø]/g, (letter) => transliterations[letter]!);
}
