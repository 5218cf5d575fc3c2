import { isKnownElement } from "../contract/known-elements.ts";
import type { StatementClass } from "../contract/statement-class.ts";
import type { MarkRefusal, MarkRequest, MemberItem, MemberMarkView, MemberValue } from "../dashboard/member-ports.ts";
import type { MemberMark } from "../itinerary/member-marks.ts";
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
  const valuesOf = new Map<string, MemberValue[]>();
  for (const row of rows) {
    if (row.valueDigest === null) continue;
    const values = valuesOf.get(row.path) ?? [];
    values.push(toValue(row, row.valueDigest, marks));
    valuesOf.set(row.path, values);
  }
  return rows
    .filter(({ valueDigest }) => valueDigest === null)
    .map((row) => {
      const { path } = row;
      const values = valuesOf.get(path) ?? [];
      const takesPath = row.class === "other";
      const mark = takesPath
        ? (marks.find((each) => each.valueDigest === null && covers(each.path, path)) ?? null)
        : null;
      return {
        ...observed(row),
        path,
        class: strictest([row.class, ...values.map((value) => value.class)]),
        isOpen: isOpen(row, mark, values),
        waitingCount: waiting.get(path) ?? 0,
        markablePaths: takesPath ? unknownElements(path) : [],
        mark: mark === null ? null : toView(mark),
        values,
        hasManyValues: values.filter((value) => value.mark === null).length >= valuesPerPathMax,
      };
    });
}

/** What cannot be said as a value, and tells to stop, cannot be marked and stays open. */
function isOpen(row: ObservedRow, mark: StoredMark | null, values: readonly MemberValue[]): boolean {
  const isWholeOpen = row.class === "other" ? mark === null : values.length === 0;
  return isWholeOpen || values.some((value) => value.mark === null);
}

function toValue(row: ObservedRow, valueDigest: string, marks: readonly StoredMark[]): MemberValue {
  const mark = marks.find((each) => each.path === row.path && each.valueDigest === valueDigest);
  return { ...observed(row), valueDigest, mark: mark === undefined ? null : toView(mark) };
}

function observed({ word, example, firstSeenAt, views, orderBits, unchangedBits, class: kind }: ObservedRow) {
  const orders = distinctCount(orderBits);
  // A notification that is read again is counted by its order alone, and may have been another view.
  const counted = { views: Math.max(views, orders), orders, unchangedOrders: distinctCount(unchangedBits) };
  return { class: kind, word, example, firstSeenAt, ...counted };
}

function toView({ path, reason, markedBy, markedAt }: StoredMark): MemberMarkView {
  return { path, reason, markedBy, markedAt };
}

const strictness = ["stop", "code", "other"] as const satisfies readonly StatementClass[];

function strictest(classes: readonly StatementClass[]): StatementClass {
  return strictness.find((each) => classes.includes(each)) ?? "other";
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
  if (!below.some((row) => row.valueDigest === null && row.class === "other")) {
    const message = `The values of ${path} tell what to do or are codes, so each of them is marked by itself. Name the values.`;
    return refuse("members.value_needed", message);
  }
  return marks.some((mark) => mark.valueDigest === null && covers(mark.path, path))
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
  if (marks.length - rest.length === digests.length) return rest;
  const what = valueDigests.length === 0 ? path : `A value of ${path} that is named`;
  const message = `${what} is not marked itself. Withdraw the mark of the element above it, if there is one; marks that are shipped stay.`;
  return { outcome: "refused", code: "members.not_marked", message };
}
