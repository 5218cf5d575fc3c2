import type { orderDataLists } from "./elements/data-lists.ts";
import type { passenger as passengerElement } from "./elements/passengers.ts";
import { joinedTextOf, listOf, textOf } from "./lenient-value.ts";
import type { Stated } from "./stated.ts";

/** How the travellers of an order can be reached, as a view states it. Never stored. */
export interface StatedContacts {
  /** Those of the order first, which the contract does not assign to passengers. */
  readonly emails: readonly string[];
  readonly telephones: readonly string[];
  /** Whether a passenger has refused to give airlines a contact: the request CTCR. */
  readonly isRefused: boolean;
}

/** @see interface document, "DataLists"; IATA Resolution 830d for the requests CTCE, CTCM and CTCR of passengers */
export function readContacts(
  lists: Stated<typeof orderDataLists>,
  passengers: readonly Stated<typeof passengerElement>[],
): StatedContacts {
  const requests = passengers.flatMap((passenger) => listOf(passenger?.SsrRequest).flatMap(readRequest));
  const saying = (code: Request["code"]) => requests.flatMap((request) => (request.code === code ? request.text : []));
  return {
    emails: different([...textsOf(lists?.contactEmail), ...saying("CTCE").flatMap(emailsIn)]),
    telephones: different([...textsOf(lists?.contactNumber), ...saying("CTCM").flatMap(telephonesIn)]),
    isRefused: saying("CTCR").length > 0,
  };
}

interface Request {
  readonly code: "CTCE" | "CTCM" | "CTCR";
  /** What follows the code. */
  readonly text: string;
}

/** Reads one request, sent as one text or in members: `SSR CTCE YY HK1/ANA//MAIL.EXAMPLE`, `SSRCTCEYYHK1/…`. */
function readRequest(request: unknown): readonly Request[] {
  const whole = (joinedTextOf(request) ?? "").slice(0, lengthMax);
  const [, code, text = ""] = /(?<![A-Z])(?:SS?R)?(CTC[EMR])(.*)/is.exec(whole) ?? [];
  return code === undefined ? [] : [{ code: code.toUpperCase() as Request["code"], text }];
}

/** Longer than any request with an address, and short enough to be searched in no time. */
const lengthMax = 500;

/**
 * Messages between airlines have no `@`, `_` and `-`: `//`, `..` and `./` stand for them. A language and the passenger may
 * follow, as in `HK1/ANA..SILVA//MY./MAIL.EXAMPLE/PT-1SILVA/ANA MRS`.
 */
function emailsIn(text: string): readonly string[] {
  const [plain] = /[^\s/@]+@[^\s/@]+/.exec(text) ?? [];
  if (plain !== undefined) return [plain.toLowerCase()];
  const [, local, domain] = spelledAddress.exec(text) ?? [];
  return local === undefined || domain === undefined ? [] : [`${unspelled(local)}@${unspelled(domain)}`.toLowerCase()];
}

/** Only the slash of `./` is of the address, and a hyphen before a digit is of the passenger's name. */
const spelledAddress = /((?:\.\/|[^\s/-]|(?<=[^\s/])-(?!\d))+)\/\/((?:\.\/|[^\s/-]|-(?!\d))+)/;

function unspelled(text: string): string {
  return text.replaceAll("./", "-").replaceAll("..", "_");
}

/** The number begins with the code of its country, as in `HK1/351912345678/PT`. */
function telephonesIn(text: string): readonly string[] {
  const [, digits] = /(?<![A-Z\d])\+?(\d{7,15})(?!\d)/i.exec(text) ?? [];
  if (digits === undefined) return [];
  return [digits.startsWith("0") ? digits : `+${digits}`];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((part) => textOf(part) ?? []);
}

function different(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
