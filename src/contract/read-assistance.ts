import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import type { passenger as passengerElement } from "./elements/passengers.ts";
import { booleanOf, joinedTextOf, listOf, memberOf, statesAnything, textOf } from "./lenient-value.ts";
import { needsIn } from "./orders-to-stop.ts";
import type { Stated } from "./stated.ts";
import { remembered } from "./words-in.ts";

/** Each kind once; unknown if a request may be for assistance. */
export type Assistance = Fact<readonly string[]>;

/** What is known counts, even if another part is unreadable. */
export function allAssistance(parts: readonly Assistance[]): Assistance {
  const kinds = parts.flatMap((part) => (part.known ? part.value : []));
  if (kinds.length > 0) return known([...new Set(kinds)]);
  return parts.find((part) => !part.known) ?? known([]);
}

/** From preferences, service requests, and codes that stand in the name. */
export function readAssistance(passenger: Stated<typeof passengerElement>): Assistance {
  const preferences = listOf(passenger?.Preference);
  const wheelchair = preferences.flatMap((preference) =>
    listOf(preference?.WheelChairPreference).flatMap((preference) =>
      isRecord(preference) ? Object.values(preference) : preference,
    ),
  );
  const seats = preferences.flatMap((preference) => listOf(preference?.SeatPreference));
  return allAssistance([
    ...wheelchair.filter(statesAnything).map(readWheelchairReason),
    known(seats.flatMap((seat) => assistanceNamedIn(textOf(seat) ?? ""))),
    known(assistanceInName(passenger)),
    ...listOf(passenger?.SsrRequest).filter(statesAnything).flatMap(readRequest),
  ]);
}

/** Finds codes such as `WCHR`, `SSR WCHR` or `UM08`, else words such as `Silla de ruedas`. */
export function assistanceNamedIn(text: string): readonly string[] {
  const coded = assistanceCodedIn(text);
  return coded.length > 0 ? coded : needsIn(text);
}

const assistanceCodedIn = remembered((text): readonly string[] => {
  const kinds = text
    .toUpperCase()
    .split(/[^A-Z]+/)
    .flatMap((word) => kindByCode.get(word.replace(/^SSR(?=[A-Z]{4}$)/, "")) ?? []);
  return kinds.length === 0 && minorByCode.test(text) ? [unaccompaniedMinor] : kinds;
});

/** `UM` is a word of other languages, so it stands alone or with an age. */
const minorByCode = /^\W*(?:SSR\W?)?[Uu][Mm]\W?(?:\d{1,2}\W*)?$|\bUM[ /-]?\d{1,2}(?=\W*$)|\bUM\d{1,2}\b/;

/**
 * Finds what reservation systems write into a name: `TIM MSTR(UM08)`, `ANA (WCHR)`, `TIM UMNR`. Outside brackets, only
 * codes count that are nobody's name, as Um, Maas and Meda are.
 */
function assistanceInName(passenger: Stated<typeof passengerElement>): readonly string[] {
  const title = textOf(passenger?.NameTitle) ?? "";
  const names = [passenger?.FirstName, passenger?.MiddleName, passenger?.LastName].flatMap(
    (part) => textOf(part) ?? [],
  );
  return [
    ...(title === "" ? [] : assistanceNamedIn(title)),
    ...names.flatMap(assistanceInBrackets),
    ...names.flatMap(assistanceByCode),
    // Words such as `chaise roulante` are nobody's name.
    ...names.flatMap(needsIn).filter((kind) => kind === "wheelchair"),
  ];
}

function assistanceInBrackets(name: string): readonly string[] {
  return [...name.matchAll(/[([{]([^)\]}]*)/g)].flatMap(([, inside]) => assistanceNamedIn(inside!));
}

const assistanceByCode = remembered((name): readonly string[] => {
  const codes = (codeInName.exec(name.toUpperCase()) ?? []).slice(1);
  return codes.filter((code) => code !== undefined).flatMap(assistanceNamedIn);
});

const codeInName =
  /(?:^|[^A-Z]|MSTR|MISS|CHD|CNN|CHILD)(UMNR|UNMR|UM[ /-]?\d{1,2}|WCH[RSC]|WCB[DW]|WCMP|WCLB|WCOB|BLND|STCR|DPNA)(?![A-Z])|(?:MSTR|MISS|CHD|CNN|CHILD)\W*(UM)$/;

/** Any reason but a no counts, because the interface document shows free text. A no may go on with another need. */
function readWheelchairReason(reason: unknown): Assistance {
  if (booleanOf(reason) === false) return known([]);
  const text = textOf(reason);
  if (text === null) return unreadable;
  const [no = null, rest = ""] = noWheelchair.exec(text)?.slice(1) ?? [];
  if (no !== null && rest.trim() === "") return known([]);
  const needs = needsIn(text.toUpperCase());
  return known(no !== null && needs.length > 0 ? needs : [...new Set(["wheelchair", ...needs])]);
}

/** A no in the languages of the dictionary, and what follows it. */
const noWheelchair =
  /^\s*(no|none|non|nein|kein|keine|keiner|nee|geen|não|nao|nenhuma?|ningun[oa]?|aucune?|nessun[oa]?|nej|ingen|nei|nie|brak|ne|нет|hayır|hayir|yok)(?:\s*[.,;:!-]+(.*)|\s*)$/isu;

/** Reads an object such as `{SSRCode: "WCHS", Text: "…"}`, or the text of one or several requests. */
function readRequest(request: unknown): readonly Assistance[] {
  if (!isRecord(request)) return readRequests(textOf(request));
  const code = textOf(memberOf(request, "SSRCode", "Code"));
  const namedIn = requestsOfData.has(code?.toUpperCase() ?? "") ? assistanceCodedIn : assistanceNamedIn;
  const others = Object.values(request).map((value) => known(namedIn(textOf(value) ?? "")));
  return [...readRequests(code), ...others];
}

function readRequests(text: string | null): readonly Assistance[] {
  return text === null
    ? [unreadable]
    : text
        .toUpperCase()
        .split(/[,;\n]/)
        .map(readRequestText);
}

/**
 * Reads `WCHS` or `SSR WCHS LH HK1`. Another request is known to be no assistance if it has no free text, or is for
 * text, such as the names in DOCS.
 */
function readRequestText(text: string): Assistance {
  const coded = assistanceCodedIn(text);
  if (coded.length > 0) return known(coded);
  const [, code = "", rest = ""] = /^\s*(?:SSR\s+)?([A-Z]{4})(?![A-Z\d])(.*)$/s.exec(text) ?? [];
  if (requestsOfData.has(code)) return known([]);
  const named = needsIn(text);
  if (named.length > 0) return known(named);
  if (code === "") return unreadable;
  const hasWords = /[A-Z]{4}|\P{ASCII}/u.test(rest.replace(/\b[A-Z]{6}(?=\s*\d)/g, ""));
  return otherRequests.has(code) && !hasWords ? known([]) : unknown("unknown-request");
}

const unreadable = unknown("unreadable-request");

const unaccompaniedMinor = "unaccompanied minor";

/** IATA codes of special service requests (SSR) for assistance, and the kind. Words that people use are in the dictionary. */
const kindByCode: ReadonlyMap<string, string> = new Map([
  ...["WCHR", "WCHS", "WCHC", "WCBD", "WCBW", "WCMP", "WCLB", "WCOB", "WCH"].map(
    (code) => [code, "wheelchair"] as const,
  ),
  ["BLND", "blind passenger"],
  ["DEAF", "deaf passenger"],
  ["DPNA", "intellectual or developmental disability"],
  ["MAAS", "meet and assist"],
  ["MEDA", "medical case"],
  ["OXYG", "oxygen"],
  ["STCR", "stretcher"],
  ["ESAN", "emotional support animal"],
  ["SVAN", "service animal"],
  ...["UMNR", "UNMR", "UNN", "UMN"].map((code) => [code, unaccompaniedMinor] as const),
]);

/** For data: documents, contacts, names, numbers of tickets and accounts. */
const requestsOfData: ReadonlySet<string> = new Set([
  ...["ADPI", "ADMD", "ADTK", "CHLD", "CLID", "CTCE", "CTCM", "CTCR", "DOCA", "DOCO", "DOCS", "EPAY", "FOID", "FQTR"],
  ...["FQTS", "FQTU", "FQTV", "GRPF", "GRPS", "INFT", "PCTC", "TKNA", "TKNE", "TKNM"],
]);

/**
 * Returns how many travel together by the requests for groups of a passenger, such as `GRPS TCP15 SCHOOLTOUR`; unknown if
 * one names no number, or if the passenger stands for a group; undefined without one.
 */
export function readGroupSize(passenger: Stated<typeof passengerElement>): Fact<number> | undefined {
  const texts = listOf(passenger?.SsrRequest).flatMap((request) => joinedTextOf(request) ?? []);
  if (/^GR[PS]$/.test(textOf(passenger?.PTC)?.toUpperCase() ?? "")) return unknown("group-of-unknown-size");
  const sizes = texts.flatMap((text): readonly Fact<number>[] => {
    const [, size] = /\b(?:TCP|GV|NM|PAX|PARTY OF|GROUP OF|GRUPPE VON)\W?(\d{1,3})(?!\d)/i.exec(text) ?? [];
    if (/\b(?:GRP[SF]|TCP)(?![A-Z])/i.test(text))
      return [size === undefined ? unknown("group-of-unknown-size") : known(Number(size))];
    return [];
  });
  const missing = sizes.find((size) => !size.known);
  if (missing !== undefined || sizes.length === 0) return missing;
  return known(Math.max(...sizes.map((size) => (size.known ? size.value : 0))));
}

/** For seats, meals, bags, animals and the like. OTHS and CKIN are missing, because they may be for assistance. */
const otherRequests: ReadonlySet<string> = new Set([
  ...["EXST", "NSSA", "NSSB", "NSST", "NSSW", "RQST", "SEAT", "SMSA", "SMST", "SMSW", "CBBG", "BIKE", "BULK", "FRAG"],
  ...["GPST", "SPEQ", "XBAG", "PDBG", "ABAG", "BBAG", "CBAG", "AVIH", "PETC", "WEAP", "UPGD", "VLML", "COUR", "SLPR"],
  ...["TWOV", "AVML", "BBML", "BLML", "CHML", "CNML", "DBML", "FPML", "FSML", "GFML", "HFML", "HNML", "JPML", "KSML"],
  ...["LCML", "LFML", "LPML", "LSML", "MOML", "NFML", "NLML", "NOML", "OBML", "ORML", "PRML", "RFML", "RVML", "SFML"],
  ...["SPML", "VGML", "VJML", "VOML"],
]);
