import { keyFormsOf } from "../cases/key-paths.ts";
import { isKnownElement } from "../contract/known-elements.ts";
import { strictest } from "../contract/statement-class.ts";
import type { MarkRefusal, MarkRequest, MemberItem, MemberMarkView, MemberValue } from "../dashboard/member-ports.ts";
import { formOf, type MemberMark } from "../itinerary/member-marks.ts";
import { distinctCount } from "../kernel/distinct-count.ts";
import type { StoredMark } from "../store/members/member-marks.ts";
import { type ObservedRow, valuesPerPathMax } from "../store/members/observed-members.ts";

type Marked = Pick<MarkRequest, "source" | "path" | "valueDigests">;

/** Joins what was observed of a source with its marks and with the cases that wait, a path at a time. */
export function toItems(
  rows: readonly ObservedRow[],
  waiting: ReadonlyMap<string, number>,
  marks: readonly StoredMark[],
): readonly MemberItem[] {
  const valuesOf = new Map<string, ObservedRow[]>();
  for (const row of rows) {
    if (row.valueDigest === null) continue;
    const values = valuesOf.get(row.path) ?? [];
    values.push(row);
    valuesOf.set(row.path, values);
  }
  return rows
    .filter(({ valueDigest }) => valueDigest === null)
    .map((row) => {
      const { path } = row;
      const own = valuesOf.get(path) ?? [];
      const values = own.map((value) => toValue(value, marks));
      const forms = keyFormsIn(row, own);
      const takesPath = row.class === "other" || forms.length > 0;
      const isOfPath = (each: StoredMark) => takesPath || (each.path === path && each.keyForms !== undefined);
      const mark = marks.find((each) => coversWhole(each, path, forms) && isOfPath(each)) ?? null;
      // What cannot be said as a value, and tells to stop, cannot be marked and stays open.
      const isWholeOpen = takesPath ? mark === null : values.length === 0;
      return {
        ...observed(row),
        path,
        class: strictest([row.class, ...values.map((value) => value.class)]),
        isOpen: isWholeOpen || values.some((value) => value.mark === null),
        waitingCount: waiting.get(path) ?? 0,
        markablePaths: forms.length > 0 ? [path] : takesPath ? unknownElements(path) : [],
        mark: mark === null ? null : toView(mark),
        values,
        hasManyValues: values.filter((value) => value.mark === null).length >= valuesPerPathMax,
      };
    });
}

/** A mark of an element above covers no codes, even if they are keys. */
function coversWhole(mark: MemberMark, path: string, forms: readonly string[]): boolean {
  if (mark.valueDigest !== null || !covers(mark.path, path)) return false;
  return forms.length === 0 || (mark.path === path && forms.every((form) => mark.keyForms?.includes(form)));
}

function keyFormsIn(row: ObservedRow, values: readonly ObservedRow[]): readonly string[] {
  const { path, orderBits } = row;
  const counted = values.map((value) => ({ ...value, orders: distinctCount(value.orderBits) }));
  return keyFormsOf({ path, orders: distinctCount(orderBits), values: counted });
}

/** Returns the forms of the keys that are stated at a path instead of codes; none if a mark of it covers no codes. */
export function keyFormsAt(path: string, rows: readonly ObservedRow[]): readonly string[] {
  const own = rows.filter((row) => row.path === path);
  const whole = own.find(({ valueDigest }) => valueDigest === null);
  const values = own.filter(({ valueDigest }) => valueDigest !== null);
  return whole === undefined ? [] : keyFormsIn(whole, values);
}

function toValue(
  row: ObservedRow & { readonly valueDigest: string | null },
  marks: readonly StoredMark[],
): MemberValue {
  const valueDigest = row.valueDigest!;
  const mark = marks.find((each) => each.path === row.path && isOfValue(each, row));
  return { ...observed(row), valueDigest, mark: mark === undefined ? null : toView(mark) };
}

function isOfValue({ valueDigest, keyForms = [] }: MemberMark, row: ObservedRow): boolean {
  if (valueDigest !== null) return valueDigest === row.valueDigest;
  return row.class === "code" && row.example !== null && keyForms.includes(formOf(row.example));
}

function observed({ word, example, firstSeenAt, views, orderBits, unchangedBits, class: kind }: ObservedRow) {
  const orders = distinctCount(orderBits);
  // A notification that is read again is counted by its order alone, and may have been another view.
  const counted = { views: Math.max(views, orders), orders, unchangedOrders: distinctCount(unchangedBits) };
  return { class: kind, word, example, firstSeenAt, ...counted };
}

function toView({ path, reason, markedBy, markedAt }: StoredMark): MemberMarkView {
  return { path, reason, markedBy, markedAt: new Date(markedAt) };
}

/** The path and the elements above it that Skedchange does not read, the nearest first. */
function unknownElements(path: string): readonly string[] {
  const names = path.split(".");
  const above = names.map((_, index) => names.slice(0, names.length - index).join("."));
  return above.filter((each) => !isKnownElement(each));
}

function covers(marked: string, path: string): boolean {
  return path === marked || path.startsWith(`${marked}.`);
}

/** Returns why this cannot be marked, or null. Nothing is marked that was never observed, or that is read. */
export function refuseMark(
  rows: readonly ObservedRow[],
  { source, path, valueDigests }: Marked,
  marks: readonly MemberMark[],
): MarkRefusal | null {
  const refuse = (code: MarkRefusal["code"], message: string): MarkRefusal => ({ outcome: "refused", code, message });
  const below = rows.filter((row) => covers(path, row.path));
  if (below.length === 0) {
    return refuse("members.not_observed", `Source ${source} has never stated ${path}.`);
  }
  if (valueDigests.length > 0) {
    const isUnseen = (digest: string) => !below.some((row) => row.path === path && row.valueDigest === digest);
    const unseen = valueDigests.filter(isUnseen);
    if (unseen.length > 0) {
      return refuse("members.not_observed", `Source ${source} has never stated ${path} with value ${unseen[0]}.`);
    }
    const isStored = (digest: string) => marks.some((mark) => mark.path === path && mark.valueDigest === digest);
    return valueDigests.some(isStored)
      ? refuse("members.already_marked", `A value of ${path} is marked already. Name those that are not.`)
      : null;
  }
  if (isKnownElement(path)) {
    const message = `Skedchange reads members of ${path}, so it cannot be marked as a whole. Mark what is below it.`;
    return refuse("members.read_by_skedchange", message);
  }
  const forms = keyFormsAt(path, rows);
  if (forms.length === 0 && !below.some((row) => row.valueDigest === null && row.class === "other")) {
    const message = `The values of ${path} tell what to do or are codes, so each of them is marked by itself. Name the values.`;
    return refuse("members.value_needed", message);
  }
  return marks.some((mark) => coversWhole(mark, path, forms))
    ? refuse("members.already_marked", `${path}, or an element above it, is marked already.`)
    : null;
}

/** Returns the marks without these, or why they cannot be withdrawn. */
export function marksWithout(
  { path, valueDigests }: Marked,
  marks: readonly StoredMark[],
): readonly StoredMark[] | MarkRefusal {
  const digests: readonly (string | null)[] = valueDigests.length === 0 ? [null] : valueDigests;
  const isWithdrawn = (mark: StoredMark) => mark.path === path && digests.includes(mark.valueDigest);
  const rest = marks.filter((mark) => !isWithdrawn(mark));
  if (marks.length - rest.length >= digests.length) return rest;
  const what = valueDigests.length === 0 ? path : `A value of ${path} that is named`;
  const message = `${what} is not marked itself. Withdraw the mark of the element above it, if there is one; marks that are shipped stay.`;
  return { outcome: "refused", code: "members.not_marked", message };
}
