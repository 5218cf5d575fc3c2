import { Button, Skeleton, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import { useFallbackInterval, useLiveUpdates } from "../api/live-updates.tsx";
import { useSession } from "../api/session.ts";
import { BulkBar } from "../parts/bulk-bar.tsx";
import { CaseTable } from "../parts/case-table.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { ErrorNotice } from "../parts/notices.tsx";
import { isFiltered, noFilters, queryOf, useQueueFilters } from "../parts/queue-filters.ts";

/** The search is sent after this pause in typing. */
const typingPauseMs = 300;

const noneSelected: ReadonlySet<string> = new Set();

export function QueuePage() {
  const { user } = useSession();
  const [filters, setFilters] = useQueueFilters();
  const [selected, setSelected] = useState(noneSelected);
  const [q] = useDebouncedValue(filters.q, typingPauseMs);
  const query = { ...queryOf(filters), q };
  const cases = useInfiniteQuery({
    queryKey: ["cases", query],
    queryFn: ({ pageParam }) => api.listCases(query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(),
  });
  const items = cases.data?.pages.flatMap((page) => page.items) ?? [];
  const mayActOnMany = isRoleAtLeast(user.role, requiredRoles.actOnManyCases);
  return (
    <>
      <title>Queue · Skedchange</title>
      <div className="page-head">
        <h1>Queue</h1>
        <KeyHints canSelect={mayActOnMany} />
      </div>
      <FilterBar filters={filters} onChange={setFilters} items={items} />
      {cases.isError ? <ErrorNotice problem={cases.error} onRetry={() => void cases.refetch()} /> : null}
      {cases.isPending ? <LoadingRows /> : null}
      {cases.data !== undefined && items.length === 0 ? (
        <EmptyQueue isFiltered={isFiltered(filters)} onReset={() => setFilters(noFilters)} />
      ) : null}
      {items.length === 0 ? null : (
        <>
          <CaseTable
            items={items}
            isStale={cases.isPlaceholderData}
            selection={mayActOnMany ? { selected, onChange: setSelected } : null}
          />
          <div className="list-foot">
            <span className="quiet">
              {items.length} {items.length === 1 ? "case" : "cases"}
              {cases.hasNextPage ? " loaded" : ""}
            </span>
            {cases.hasNextPage ? (
              <Button variant="default" loading={cases.isFetchingNextPage} onClick={() => void cases.fetchNextPage()}>
                Load more
              </Button>
            ) : null}
          </div>
        </>
      )}
      {mayActOnMany ? (
        <BulkBar
          selected={items.filter(({ id }) => selected.has(id))}
          cohort={query.flight === "" ? null : { flight: query.flight, date: query.flightDate }}
          onClear={() => setSelected(noneSelected)}
        />
      ) : null}
      <Announcement shown={items.length} isSettled={cases.data !== undefined && !cases.isPlaceholderData} />
    </>
  );
}

function LoadingRows() {
  return (
    <div className="table-box loading" role="status" aria-label="Loading the queue">
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <Skeleton key={key} height={44} mb={8} />
      ))}
    </div>
  );
}

function EmptyQueue({ isFiltered, onReset }: { readonly isFiltered: boolean; readonly onReset: () => void }) {
  return (
    <div className="empty">
      <h2>{isFiltered ? "No cases match these filters" : "No cases yet"}</h2>
      {isFiltered ? (
        <Button variant="default" onClick={onReset}>
          Show all cases
        </Button>
      ) : (
        <p>A case appears here when a gateway notifies us of a schedule change.</p>
      )}
    </div>
  );
}

function KeyHints({ canSelect }: { readonly canSelect: boolean }) {
  return (
    <p className="hints">
      <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous{" "}
      {canSelect ? (
        <>
          <kbd>x</kbd> select{" "}
        </>
      ) : null}
      <kbd>Enter</kbd> open
    </p>
  );
}

/** Announces changes of the list to screen readers, with a delay so that a burst is announced once. */
function Announcement({ shown, isSettled }: { readonly shown: number; readonly isSettled: boolean }) {
  const { announced } = useLiveUpdates();
  const [settled] = useDebouncedValue(announced, 2_000);
  let text: ReactNode = "";
  if (isSettled) text = `${shown} ${shown === 1 ? "case" : "cases"}.`;
  if (isSettled && settled > 0) text = `The list was updated. ${String(text)}`;
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}
