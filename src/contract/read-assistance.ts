import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import { booleanOf, listOf, member, memberOf, statesAnything, textOf } from "./lenient-value.ts";

/** Each kind once; unknown if a request may be for assistance. */
export type Assistance = Fact<readonly string[]>;

/** What is known counts, even if another part is unreadable. */
export function allAssistance(parts: readonly Assistance[]): Assistance {
  const kinds = parts.flatMap((part) => (part.known ? part.value : []));
  if (kinds.length > 0) return known([...new Set(kinds)]);
  return parts.find((part) => !part.known) ?? known([]);
}

/** From a wheelchair preference or service requests. */
export function readAssistance(passenger: unknown): Assistance {
  const preferences = listOf(member(passenger, "Preference")).flatMap((preference) =>
    listOf(member(preference, "WheelChairPreference")).flatMap((preference) =>
      isRecord(preference) ? Object.values(preference) : preference,
    ),
  );
  return allAssistance([
    ...preferences.filter(statesAnything).map(readWheelchairReason),
    ...listOf(member(passenger, "SsrRequest")).filter(statesAnything).flatMap(readRequest),
  ]);
}

/** Finds codes such as `WCHR` or `SSR WCHR`. */
export function assistanceNamedIn(text: string): readonly string[] {
  return text
    .toUpperCase()
    .split(/[^A-Z]+/)
    .flatMap((word) => kindByCode.get(word) ?? []);
}

/** Any reason but a no counts, because the interface document shows free text. */
function readWheelchairReason(reason: unknown): Assistance {
  if (booleanOf(reason) === false) return known([]);
  return textOf(reason) === null ? unreadable : known(["wheelchair"]);
}

/** Reads an object such as `{SSRCode: "WCHS", Text: "…"}`, or the text of one or several requests. */
function readRequest(request: unknown): readonly Assistance[] {
  if (!isRecord(request)) return readRequests(textOf(request));
  const others = Object.values(request).map((value) => known(assistanceNamedIn(textOf(value) ?? "")));
  return [...readRequests(textOf(memberOf(request, "SSRCode", "Code"))), ...others];
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
  const named = assistanceNamedIn(text);
  if (named.length > 0) return known(named);
  const [, code = "", rest = ""] = /^\s*(?:SSR\s+)?([A-Z]{4})(?![A-Z\d])(.*)$/s.exec(text) ?? [];
  if (code === "") return unreadable;
  if (requestsOfData.has(code)) return known([]);
  const hasWords = /[A-Z]{4}|\P{ASCII}/u.test(rest.replace(/\b[A-Z]{6}(?=\s*\d)/g, ""));
  return otherRequests.has(code) && !hasWords ? known([]) : unknown("unknown-request");
}

const unreadable = unknown("unreadable-request");

/** IATA codes of special service requests (SSR) for assistance, a word that people use instead, and the kind. */
const kindByCode: ReadonlyMap<string, string> = new Map([
  ...["WCHR", "WCHS", "WCHC", "WCBD", "WCBW", "WCMP", "WCLB", "WCOB", "WHEELCHAIR"].map(
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
  ["UMNR", "unaccompanied minor"],
]);

/** For data: documents, contacts, names, numbers of tickets and accounts. */
const requestsOfData: ReadonlySet<string> = new Set([
  ...["ADPI", "ADMD", "ADTK", "CHLD", "CLID", "CTCE", "CTCM", "CTCR", "DOCA", "DOCO", "DOCS", "EPAY", "FOID", "FQTR"],
  ...["FQTS", "FQTU", "FQTV", "GRPF", "GRPS", "INFT", "PCTC", "TKNA", "TKNE", "TKNM"],
]);

/** For seats, meals, bags, animals and the like. OTHS and CKIN are missing, because they may be for assistance. */
const otherRequests: ReadonlySet<string> = new Set([
  ...["EXST", "NSSA", "NSSB", "NSST", "NSSW", "RQST", "SEAT", "SMSA", "SMST", "SMSW", "CBBG", "BIKE", "BULK", "FRAG"],
  ...["GPST", "SPEQ", "XBAG", "PDBG", "ABAG", "BBAG", "CBAG", "AVIH", "PETC", "WEAP", "UPGD", "VLML", "COUR", "SLPR"],
  ...["TWOV", "AVML", "BBML", "BLML", "CHML", "CNML", "DBML", "FPML", "FSML", "GFML", "HFML", "HNML", "JPML", "KSML"],
  ...["LCML", "LFML", "LPML", "LSML", "MOML", "NFML", "NLML", "NOML", "OBML", "ORML", "PRML", "RFML", "RVML", "SFML"],
  ...["SPML", "VGML", "VJML", "VOML"],
]);
