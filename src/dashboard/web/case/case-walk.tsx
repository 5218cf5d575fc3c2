import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { readOf } from "../api/hooks.ts";
import { CommandButton } from "../commands/command-button.tsx";
import { useCommands } from "../commands/commands.tsx";
import "./case-walk.css";
import { Callout } from "../components/callouts.tsx";
import { BackIcon } from "../components/icons.tsx";
import { placeIn, useWorkList } from "../queue/work-list.tsx";

/** More of the list is read when fewer cases than this are left. */
const leftMin = 5;

/** The way back to the queue and to the next case of its list, and what was done on the case before. */
export function CaseWalk({ caseId }: { readonly caseId: string }) {
  const { list, done, setDone, setLastCaseId, readMore } = useWorkList();
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const { next, previous, position } = placeIn(list, caseId);
  const queue = list?.href ?? "/";
  const isNearEnd = list !== null && position !== null && list.caseIds.length - position < leftMin;

  useEffect(() => setLastCaseId(caseId), [caseId, setLastCaseId]);
  useEffect(() => {
    // The case is shown all the same; the next one tries again.
    if (isNearEnd) readMore().catch(() => undefined);
  }, [isNearEnd, readMore]);
  useEffect(() => {
    if (next === null) return;
    void queryClient.prefetchQuery(readOf("GET /cases/{id}", { params: { id: next } }));
  }, [next, queryClient]);

  const step = (to: string | null, end: string) => ({
    obstacle: position === null ? "Open a case from the queue to go through its list." : to === null ? end : null,
    run: () => {
      setDone(null);
      navigate(`/cases/${to}`);
    },
  });
  useCommands({
    "case.next": step(next, "This is the last case of the list."),
    "case.previous": step(previous, "This is the first case of the list."),
    "case.back": { run: () => navigate(queue) },
  });
  return (
    <>
      <nav className="case-walk" aria-label="List">
        <Link href={queue} className="back">
          <BackIcon /> Queue
        </Link>
        {list === null || position === null ? null : (
          <>
            <span className="quiet">
              {position} of {list.caseIds.length}
              {list.nextCursor === null ? "" : "+"}
            </span>
            <CommandButton command="case.previous" size="compact-sm">
              Previous
            </CommandButton>
            <CommandButton command="case.next" size="compact-sm">
              Next
            </CommandButton>
          </>
        )}
      </nav>
      {done === null || done.caseId === caseId ? null : (
        <Callout tone={done.tone} title={`${done.orderId}: ${done.title}`} onClose={() => setDone(null)}>
          <p>{done.text}</p>
          <p>
            <Link href={`/cases/${done.caseId}`} onClick={() => setDone(null)}>
              Back to {done.orderId}
            </Link>
          </p>
        </Callout>
      )}
    </>
  );
}
