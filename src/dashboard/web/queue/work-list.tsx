import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { List } from "../api/responses.ts";

/** The list of the queue from which a case was opened, as it was then: a decided case keeps its place. */
interface WorkList {
  readonly caseIds: readonly string[];
  /** The address of the list with its filters. */
  readonly href: string;
  readonly nextCursor: string | null;
  readonly readPage: (cursor: string) => Promise<List<{ readonly id: string }>>;
}

/** What was done on the case before this one. */
export interface DoneElsewhere {
  readonly caseId: string;
  readonly orderId: string;
  readonly title: string;
  readonly text: string;
  readonly tone: "good" | "warn";
}

interface WorkListState {
  readonly list: WorkList | null;
  /** The case that was shown last. The queue puts the focus there. */
  readonly lastCaseId: string | null;
  readonly done: DoneElsewhere | null;
  readonly open: (caseId: string, list: WorkList) => void;
  readonly setLastCaseId: (caseId: string) => void;
  readonly setDone: (done: DoneElsewhere | null) => void;
  /** Adds the next page of the list. */
  readonly readMore: () => Promise<void>;
}

const WorkListContext = createContext<WorkListState | null>(null);

export function useWorkList(): WorkListState {
  const state = useContext(WorkListContext);
  if (state === null) throw new Error("useWorkList is used outside of WorkListProvider");
  return state;
}

export function WorkListProvider({ children }: { readonly children: ReactNode }) {
  const [list, setList] = useState<WorkList | null>(null);
  const [lastCaseId, setLastCaseId] = useState<string | null>(null);
  const [done, setDone] = useState<DoneElsewhere | null>(null);
  const [, navigate] = useLocation();

  const open = useCallback(
    (caseId: string, opened: WorkList): void => {
      setList(opened);
      setDone(null);
      navigate(`/cases/${caseId}`);
    },
    [navigate],
  );
  const readMore = useCallback(async (): Promise<void> => {
    if (list === null || list.nextCursor === null) return;
    const { items, nextCursor } = await list.readPage(list.nextCursor);
    const caseIds = [...new Set([...list.caseIds, ...items.map(({ id }) => id)])];
    // Another list may have been opened meanwhile.
    setList((current) => (current === list ? { ...list, caseIds, nextCursor } : current));
  }, [list]);
  const state = useMemo(
    () => ({ list, lastCaseId, done, open, setLastCaseId, setDone, readMore }),
    [list, lastCaseId, done, open, readMore],
  );
  return <WorkListContext value={state}>{children}</WorkListContext>;
}

interface Place {
  readonly next: string | null;
  readonly previous: string | null;
  /** From 1; null if the case was not opened from a list. */
  readonly position: number | null;
}

export function placeIn(list: Pick<WorkList, "caseIds"> | null, caseId: string): Place {
  const at = list === null ? -1 : list.caseIds.indexOf(caseId);
  if (list === null || at === -1) return { next: null, previous: null, position: null };
  return { next: list.caseIds[at + 1] ?? null, previous: list.caseIds[at - 1] ?? null, position: at + 1 };
}
