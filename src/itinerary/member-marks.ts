import type { UnreadMembers, UnreadStatement } from "../contract/unread-members.ts";
import { digestOfValue } from "../kernel/digest.ts";

/** Something that a gateway states and nobody reads, and that somebody has found harmless. */
export interface MemberMark {
  /** As in {@link UnreadStatement}. */
  readonly path: string;
  /** Of the value that is harmless; null for the path and all below it. */
  readonly valueDigest: string | null;
  /** Of the codes that are harmless too, because the path has keys of this form: `XXX9`. Left out if it has none. */
  readonly keyForms?: readonly string[];
  readonly reason: string;
}

export interface MemberMarks {
  /** A digest of the marks; `none` if there are none. */
  readonly version: string;
  readonly marks: readonly MemberMark[];
}

export const noMarks: MemberMarks = { version: "none", marks: [] };

export function memberMarksOf(marks: readonly MemberMark[]): MemberMarks {
  return marks.length === 0 ? noMarks : { version: digestOfValue(marks).slice(0, 16), marks };
}

/**
 * Members that real gateways are known to send beyond the contract: amounts, ids and times in parts of a view that say
 * nothing of what was booked. Codes, texts and orders to stop in them are as unknown as anywhere.
 */
export const shippedMembers: readonly { readonly path: string; readonly seenIn: string; readonly reason: string }[] = [
  {
    path: "Document",
    seenIn: "both public samples of a notification",
    reason: "The head of the message: versions and ids of the gateway, in every body.",
  },
  {
    path: "Party",
    seenIn: "both public samples of a notification",
    reason: "Who the message is for: ids of the agency, in every body.",
  },
  ...["MetaData.Timestamp", "MetaData.TraceId"].map((path) => ({
    path,
    seenIn: "views of public connectors, and the interface document",
    reason: "The time and the id of the exchange.",
  })),
  {
    path: "Payments.Payment",
    seenIn: "both public samples of a notification",
    reason: "Amounts and ids of what was paid; PaymentStatus tells whether it stands.",
  },
  {
    path: "Order.AgentMarkupInfo",
    seenIn: "views of public connectors",
    reason: "What the agency earns, under names that change from version to version.",
  },
  ...["Order.PortalCharges", "Order.BookingFeeInfo"].map((path) => ({
    path,
    seenIn: "views of public connectors",
    reason: "What the gateway charges; the total price counts.",
  })),
  ...[
    "Order.Commission",
    "DataLists.PassengerList.Passengers.OnflyMarkup",
    "DataLists.PassengerList.Passengers.OnflyDiscount",
  ].map((path) => ({
    path,
    seenIn: "views of public connectors",
    reason: "What the agency earns or gives away; the total price counts.",
  })),
  ...["Order.BasePrice", "Order.TaxPrice", "Order.OfferItem.FareDetail"].map((path) => ({
    path,
    seenIn: "views of public connectors",
    reason: "Parts of the price; the total price counts.",
  })),
  {
    path: "Order.RewardSettings",
    seenIn: "views of public connectors",
    reason: "Points of the agency's customers.",
  },
];

export const shippedMarks: MemberMarks = memberMarksOf(
  shippedMembers.map(({ path, reason }) => ({ path, valueDigest: null, reason })),
);

/** Adds the shipped marks to those of a source. */
export function withShipped(marks: MemberMarks): MemberMarks {
  if (marks.marks.length === 0) return shippedMarks;
  return memberMarksOf([...shippedMarks.marks, ...marks.marks]);
}

/** The same for values that differ in letter case, in blanks, or in how a letter is composed. */
export function valueDigestOf(value: string): string {
  return digestOfValue(value.normalize("NFKC").replace(/\s+/g, " ").trim().toUpperCase()).slice(0, 32);
}

/** With `X`, `x` and `9` instead of letters and digits. */
export function formOf(value: string): string {
  return value.replaceAll(/[\p{L}\p{M}\p{N}]/gu, (char) => {
    if (/\p{N}/u.test(char)) return "9";
    return /\p{Lu}/u.test(char) ? "X" : "x";
  });
}

/**
 * Whether a statement is harmless by these marks: an order to stop, a code or a text only if its path and its value are
 * marked, or if its path has keys of the form of a code; everything else if its path or one above it is.
 */
export function isMarked({ path, class: kind, value }: UnreadStatement, marks: MemberMarks): boolean {
  const { paths, values, keyForms } = indexOf(marks);
  if (value !== null && values.get(path)?.has(valueDigestOf(value)) === true) return true;
  if (kind === "code") return value !== null && keyForms.get(path)?.has(formOf(value)) === true;
  return kind === "other" && ancestorsOf(path).some((above) => paths.has(above));
}

export function unmarkedStatements(
  { statements }: Pick<UnreadMembers, "statements">,
  marks: MemberMarks,
): readonly UnreadStatement[] {
  return statements.filter((statement) => !isMarked(statement, marks));
}

/** `Order.TourKind=` and the digest of each value that has to be marked by itself, each once. */
export function unmarkedValues(statements: readonly UnreadStatement[]): readonly string[] {
  const values = statements.flatMap(({ path, class: kind, value }) =>
    kind === "other" || value === null ? [] : [`${path}=${valueDigestOf(value)}`],
  );
  return [...new Set(values)];
}

interface MarksIndex {
  readonly paths: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  readonly keyForms: ReadonlyMap<string, ReadonlySet<string>>;
}

const indexes = new WeakMap<MemberMarks, MarksIndex>();

function indexOf(marks: MemberMarks): MarksIndex {
  const known = indexes.get(marks);
  if (known !== undefined) return known;
  const paths = new Set<string>();
  const values = new Map<string, Set<string>>();
  const forms = new Map<string, Set<string>>();
  for (const { path, valueDigest, keyForms = [] } of marks.marks) {
    if (valueDigest === null) paths.add(path);
    else values.set(path, (values.get(path) ?? new Set()).add(valueDigest));
    if (keyForms.length > 0) forms.set(path, new Set([...(forms.get(path) ?? []), ...keyForms]));
  }
  const index = { paths, values, keyForms: forms };
  indexes.set(marks, index);
  return index;
}

/** The path itself and every one above it. */
function ancestorsOf(path: string): readonly string[] {
  const steps = path.split(".");
  return steps.map((_, at) => steps.slice(0, at + 1).join("."));
}
