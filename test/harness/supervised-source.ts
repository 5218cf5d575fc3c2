import { evaluateNotification } from "../../src/app/backtest/evaluate-notification.ts";
import { keyFormsAt, toItems } from "../../src/app/member-items.ts";
import { readChange } from "../../src/app/read-change.ts";
import type { CaseVerdict } from "../../src/cases/decide.ts";
import { type ObservedStatement, observedIn } from "../../src/cases/observed-members.ts";
import type { MemberItem, MemberValue } from "../../src/dashboard/member-ports.ts";
import { type MemberMarks, memberMarksOf, withShipped } from "../../src/itinerary/member-marks.ts";
import type { Policy } from "../../src/policy/policy.ts";
import type { StoredMark } from "../../src/store/members/member-marks.ts";
import { type ObservedRow, valuesPerPathMax } from "../../src/store/members/observed-members.ts";
import { bytesOf } from "../builders/order-view.ts";

/** A source with what it has stated and what is marked, kept in memory: decides as a worker does, and lists as the page. */
export interface SupervisedSource {
  decide(body: unknown): CaseVerdict;
  /** As the page lists them. */
  items(): readonly MemberItem[];
  /** Marks what the page offers of the items, and only if `isHarmless` says so of a value or of a path. */
  answer(choice: SupervisorChoice): void;
  /** Another source that has stated the same and has the same marks; from here on each goes its own way. */
  copy(): SupervisedSource;
}

export interface SupervisorChoice {
  readonly isHarmless: (item: MemberItem, value: MemberValue | null) => boolean;
  /** Which of the elements that may be marked. */
  readonly pathOf: (item: MemberItem) => string;
}

export function createSupervisedSource(policy: Policy, now: Date): SupervisedSource {
  return sourceWith(policy, now, new Map(), []);
}

/** The rows of each path, by the digest of the value. */
type RowsByPath = Map<string, Map<string | null, ObservedRow>>;

function sourceWith(
  policy: Policy,
  now: Date,
  rowsByPath: RowsByPath,
  marked: readonly StoredMark[],
): SupervisedSource {
  let stored = marked;
  let marks = marksOf(stored);
  let markedKeys = new Set(stored.map(keyOf));

  const rows = () => [...rowsByPath.values()].flatMap((ofPath) => [...ofPath.values()]);
  const observe = (statement: ObservedStatement): void => {
    const { path, valueDigest, class: kind, word, example } = statement;
    const ofPath = rowsByPath.get(path) ?? new Map<string | null, ObservedRow>();
    rowsByPath.set(path, ofPath);
    const known = ofPath.get(valueDigest);
    if (known !== undefined) {
      ofPath.set(valueDigest, {
        ...known,
        views: known.views + 1,
        orderBits: Math.min(known.orderBits + 1, 1_023),
        class: kind === "other" ? kind : known.class,
      });
      return;
    }
    const isOpen = (row: ObservedRow) => row.valueDigest !== null && !markedKeys.has(keyOf(row));
    if (valueDigest !== null && [...ofPath.values()].filter(isOpen).length >= valuesPerPathMax) return;
    ofPath.set(valueDigest, {
      path,
      valueDigest,
      class: kind,
      word,
      example,
      firstSeenAt: now,
      views: 1,
      orderBits: 1,
      unchangedBits: 0,
    });
  };
  const items = () => toItems(rows(), new Map(), stored);

  return {
    decide(body) {
      const bytes = bytesOf(body);
      const judged = evaluateNotification({ body: bytes, statusBody: null, source: "default", now, marks }, [policy]);
      const reading = readChange({ body: bytes, statusBody: null });
      if (!judged.ok || !reading.ok) throw new Error(JSON.stringify(judged));
      for (const view of reading.notified) for (const statement of observedIn(view.unread, marks)) observe(statement);
      return judged.orders[0]!.verdicts[0]!;
    },
    items,
    answer({ isHarmless, pathOf }) {
      const by = { reason: "asked the gateway", markedBy: "person:ana", markedAt: now.toISOString() };
      const added: StoredMark[] = [];
      for (const item of items().filter(({ isOpen }) => isOpen)) {
        if (item.markablePaths.length > 0 && item.mark === null && isHarmless(item, null)) {
          const path = pathOf(item);
          const keyForms = keyFormsAt(path, rows());
          added.push({ path, valueDigest: null, ...(keyForms.length > 0 ? { keyForms } : {}), ...by });
        }
        for (const value of item.values) {
          if (value.mark === null && isHarmless(item, value))
            added.push({ path: item.path, valueDigest: value.valueDigest, ...by });
        }
      }
      stored = [...stored, ...added];
      marks = marksOf(stored);
      markedKeys = new Set(stored.map(keyOf));
    },
    copy: () =>
      sourceWith(policy, now, new Map([...rowsByPath].map(([path, ofPath]) => [path, new Map(ofPath)])), stored),
  };
}

function marksOf(stored: readonly StoredMark[]): MemberMarks {
  return withShipped(memberMarksOf(stored.map(({ markedBy: _, markedAt: __, ...mark }) => mark)));
}

function keyOf({ path, valueDigest }: { readonly path: string; readonly valueDigest: string | null }): string {
  return `${path}\n${valueDigest ?? ""}`;
}
