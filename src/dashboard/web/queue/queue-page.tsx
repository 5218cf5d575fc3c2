import { Button, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { call } from "../api/api-client.ts";
import { useLiveUpdates, usePollingInterval } from "../api/live-updates.tsx";
import type { CaseRow, CaseSelection } from "../api/responses.ts";
import { safeToRepeat } from "../api/send-request.ts";
import { useMay } from "../api/session.ts";
import { BulkBar } from "../bulk-actions/bulk-bar.tsx";
import { KeysButton } from "../commands/command-button.tsx";
import { ErrorCallout, LoadingRows } from "../components/callouts.tsx";
import { ExportCsv } from "../components/export-csv.tsx";
import { CaseTable, focusRow } from "./case-table.tsx";
import { FilterBar, FilterChips } from "./filter-bar.tsx";
import { FirstRunHint } from "./first-run-hint.tsx";
import {
  addressOf,
  allCases,
  canSort,
  countFilters,
  isFiltered,
  type QueueFilters,
  queryOf,
  readFilters,
  selectionOf,
} from "./queue-filters.ts";
import { SavedViews } from "./saved-views.tsx";
import { useQueueFilters } from "./use-queue-filters.ts";
import { useWorkList } from "./work-list.tsx";
import "./queue-page.css";

/** The search is sent after this pause in typing. */
const typingPauseMs = 300;

const pageSize = 50;
/** After the first page, so that a long list takes few requests. */
const laterPageSize = 200;
/** A list of more pages is not read again by itself, because every page of it is a request. */
const freshPagesMax = 4;

const noneSelected: ReadonlySet<string> = new Set();

export function QueuePage() {
  const [filters, setFilters] = useQueueFilters();
  const [selected, setSelected] = useState(noneSelected);
  const [entered, setEntered] = useState<EnteredSearch | null>(null);
  const [typed] = useDebouncedValue(filters.q, typingPauseMs);
  const q = entered?.q === filters.q ? entered.q : typed;
  const asked = { ...filters, q };
  const query = queryOf(asked);
  const selection = selectionOf(asked);
  const search = { ...selection, order: query.order };
  const isSearch = q.trim() !== "";
  const queryClient = useQueryClient();
  const queryKey = ["POST /cases/search", search];
  const cases = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => {
      const readAt = Date.now();
      return { readAt, ...(await searchCases(search, pageParam, pageParam === null ? pageSize : laterPageSize)) };
    },
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= freshPagesMax,
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: usePollingInterval(),
  });
  const items = useMemo(() => cases.data?.pages.flatMap((page) => page.items) ?? [], [cases.data]);
  const { hasNextPage, isFetching, fetchNextPage } = cases;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const { isLive, changedAt } = useLiveUpdates();
  const pages = cases.data?.pages ?? [];
  const isBehind = pages.length > freshPagesMax && (!isLive || (pages[0]?.readAt ?? 0) < changedAt);
  const readAgain = (): void => {
    queryClient.setQueryData<typeof cases.data>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void queryClient.invalidateQueries({ queryKey });
    window.scrollTo({ top: 0 });
  };
  const total = cases.data?.pages[0]?.total ?? null;
  const isSettled = cases.data !== undefined && !cases.isPlaceholderData && q === filters.q;
  const opened = useOpenedFrom(items, cases.data?.pages.at(-1)?.nextCursor ?? null, search);
  useHitsOf(entered?.q === filters.q && isSettled ? entered : null, items, opened.open);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { flight, flightDate } = query;
  const mayActOnMany = useMay("actOnManyCases");
  return (
    <>
      <div className="page-head">
        <h1>Queue</h1>
        <KeysButton />
        <SavedViews
          filters={addressOf(filters)}
          onShow={(view) => setFilters({ ...readFilters(new URLSearchParams(view)), q: "" })}
        />
        <ExportCsv
          list="/cases.csv"
          query={query}
          search={isSearch ? { list: "/cases/search.csv", body: search } : null}
        />
      </div>
      <FirstRunHint />
      <div className={isUnfolded ? "queue-filters" : "queue-filters folded"}>
        <FilterBar filters={filters} onChange={setFilters} items={items} onEnter={() => setEntered({ q: filters.q })} />
        <Button
          className="fold"
          variant="default"
          size="xs"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          Filters{countFilters(filters) === 0 ? "" : ` (${countFilters(filters)})`}
        </Button>
      </div>
      <FilterChips filters={filters} onChange={setFilters} />
      {cases.isError ? <ErrorCallout problem={cases.error} onRetry={() => void cases.refetch()} /> : null}
      {cases.isPending ? <LoadingRows label="Loading the queue" /> : null}
      {cases.data !== undefined && items.length === 0 ? (
        <EmptyQueue filters={filters} onReset={() => setFilters(allCases)} />
      ) : null}
      {isBehind ? (
        <div className="list-behind" role="status">
          Cases have changed since this long list was read.
          <Button size="xs" onClick={readAgain}>
            Read again from the top
          </Button>
        </div>
      ) : null}
      {items.length === 0 ? null : (
        <>
          <CaseTable
            items={items}
            isStale={!isSettled}
            hasMore={cases.hasNextPage}
            onNearEnd={readMore}
            onOpen={opened.open}
            focusedFirst={opened.lastCaseId}
            order={query.order}
            onOrder={canSort(filters) ? (order) => setFilters({ order }) : null}
            selection={mayActOnMany ? { selected, onChange: setSelected } : null}
          />
          <div className="list-foot">
            <span className="quiet">
              {cases.hasNextPage && total !== null
                ? `1–${items.length} of ${total.count.toLocaleString("en")}${total.isCapped ? "+" : ""} cases`
                : counted(items.length, "case")}
              {isSearch && isSettled && items.length > 1 ? ", newest first" : ""}
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
          cohort={flight === undefined || flightDate === undefined ? null : { flight, date: flightDate }}
          more={cases.hasNextPage ? selection : null}
          onClear={() => setSelected(noneSelected)}
        />
      ) : null}
      <Announcement shown={items.length} isSettled={isSettled} />
    </>
  );
}

function EmptyQueue({ filters, onReset }: { readonly filters: QueueFilters; readonly onReset: () => void }) {
  const isAll = filters.show === "all" && !isFiltered(filters);
  const isDone = filters.show === "waiting" && !isFiltered(filters);
  return (
    <div className="empty">
      <h2>{isAll ? "No cases yet" : isDone ? "No case needs action" : "No cases match these filters"}</h2>
      {isAll ? (
        <p>
          A case appears here when a gateway notifies us of a schedule change. <Link href="/help">What a case is</Link>
        </p>
      ) : null}
      {isDone ? <p>A case appears here when a schedule change has to be decided by a person.</p> : null}
      {isAll ? null : (
        <Button variant="default" onClick={onReset}>
          Show all cases
        </Button>
      )}
    </div>
  );
}

type CaseSearch = CaseSelection & { readonly order: QueueFilters["order"] };

/** What is searched for may be a name, so it goes in the body. */
function searchCases(search: CaseSearch, cursor: string | null, limit = pageSize) {
  return call("POST /cases/search", { body: { ...search, limit, cursor: cursor ?? undefined } }, safeToRepeat);
}

/** Opens cases so that their pages know the next one of this list. */
function useOpenedFrom(items: readonly CaseRow[], nextCursor: string | null, search: CaseSearch) {
  const { open, lastCaseId } = useWorkList();
  const latest = useRef({ items, nextCursor, search });
  useLayoutEffect(() => {
    latest.current = { items, nextCursor, search };
  });
  const openHere = useCallback(
    (caseId: string): void => {
      const list = latest.current;
      open(caseId, {
        caseIds: list.items.map(({ id }) => id),
        href: `${location.pathname}${location.search}`,
        nextCursor: list.nextCursor,
        readPage: (cursor) => searchCases(list.search, cursor),
      });
    },
    [open],
  );
  return { open: openHere, lastCaseId };
}

/** One for each time that Enter is pressed. */
interface EnteredSearch {
  readonly q: string;
}

/** Once the hits of an entered search are there, opens the only one, or moves to the first row. */
function useHitsOf(entered: EnteredSearch | null, items: readonly CaseRow[], onOpen: (caseId: string) => void): void {
  const seen = useRef<EnteredSearch | null>(null);
  useEffect(() => {
    if (entered === null || entered === seen.current) return;
    seen.current = entered;
    const [first] = items;
    if (first === undefined) return;
    if (items.length === 1) onOpen(first.id);
    else focusRow(first.id);
  }, [entered, items, onOpen]);
}

/** Announces changes of the list to screen readers, with a delay so that a burst is announced once. */
function Announcement({ shown, isSettled }: { readonly shown: number; readonly isSettled: boolean }) {
  const { announced } = useLiveUpdates();
  const [settled] = useDebouncedValue(announced, 2_000);
  let text: ReactNode = "";
  if (isSettled) text = `${counted(shown, "case")}.`;
  if (isSettled && settled > 0) text = `The list was updated. ${String(text)}`;
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}
