import { Button, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api, filterOf, selectionOf } from "../api/api-client.ts";
import { useFallbackInterval, useLiveUpdates } from "../api/live-updates.tsx";
import type { CaseRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { BulkBar } from "../parts/bulk-bar.tsx";
import { CaseTable } from "../parts/case-table.tsx";
import { ExportCsv } from "../parts/export-csv.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { FirstRunHint } from "../parts/first-run-hint.tsx";
import { ErrorNotice, LoadingRows } from "../parts/notices.tsx";
import { isFiltered, noFilters, queryOf, useQueueFilters } from "../parts/queue-filters.ts";

/** The search is sent after this pause in typing. */
const typingPauseMs = 300;

const noneSelected: ReadonlySet<string> = new Set();

export function QueuePage() {
  const { user } = useSession();
  const [filters, setFilters] = useQueueFilters();
  const [selected, setSelected] = useState(noneSelected);
  const [entered, setEntered] = useState<string | null>(null);
  const [typed] = useDebouncedValue(filters.q, typingPauseMs);
  const q = entered === filters.q ? entered : typed;
  const query = { ...queryOf(filters), q };
  const cases = useInfiniteQuery({
    queryKey: ["cases", query],
    queryFn: ({ pageParam }) => api.searchCases(query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(),
  });
  const items = cases.data?.pages.flatMap((page) => page.items) ?? [];
  const total = cases.data?.pages[0]?.total ?? null;
  const isFound = entered === filters.q && cases.data !== undefined && !cases.isPlaceholderData && !cases.isError;
  useFoundCase(isFound, items, () => setEntered(null));
  const mayActOnMany = isRoleAtLeast(user.role, requiredRoles.actOnManyCases);
  return (
    <>
      <title>Queue · Skedchange</title>
      <div className="page-head">
        <h1>Queue</h1>
        <KeyHints canSelect={mayActOnMany} />
        {/* What is searched for may be a name, which must not stand in an address. */}
        {q === "" ? <ExportCsv list="/cases.csv" query={{ ...filterOf(query), order: query.order }} /> : null}
      </div>
      <FirstRunHint />
      <FilterBar filters={filters} onChange={setFilters} items={items} onSearch={() => setEntered(filters.q)} />
      {cases.isError ? <ErrorNotice problem={cases.error} onRetry={() => void cases.refetch()} /> : null}
      {cases.isPending ? <LoadingRows label="Loading the queue" /> : null}
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
              {cases.hasNextPage && total !== null
                ? `1–${items.length} of ${total.count.toLocaleString("en")}${total.isCapped ? "+" : ""} cases`
                : `${items.length} ${items.length === 1 ? "case" : "cases"}`}
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
          more={cases.hasNextPage ? selectionOf(query) : null}
          onClear={() => setSelected(noneSelected)}
        />
      ) : null}
      <Announcement shown={items.length} isSettled={cases.data !== undefined && !cases.isPlaceholderData} />
    </>
  );
}

/** After Enter: opens the only case that was found, or moves to the first one. */
function useFoundCase(isFound: boolean, items: readonly CaseRow[], onDone: () => void): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isFound) return;
    onDone();
    const [first] = items;
    if (first !== undefined && items.length === 1) navigate(`/cases/${first.id}`);
    else document.querySelector<HTMLAnchorElement>("a[data-row]")?.focus();
  });
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
        <p>
          A case appears here when a gateway notifies us of a schedule change. <Link href="/help">What a case is</Link>
        </p>
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
