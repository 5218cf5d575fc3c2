import { Button, NativeSelect, SegmentedControl, Skeleton, TextInput, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { CaseRow } from "../api/answers.ts";
import { api, type CaseListQuery } from "../api/api-client.ts";
import { useFallbackInterval, useLiveUpdates } from "../api/live-updates.tsx";
import { SearchIcon } from "../parts/icons.tsx";
import { ErrorNotice } from "../parts/notices.tsx";
import { QueueRow } from "../parts/queue-row.tsx";
import { useNow } from "../parts/when.tsx";
import { describeQueue, stateGroups } from "../words/state-words.ts";

/** The filters live in the address, so that a list can be kept, sent and returned to. */
interface Filters {
  readonly show: string;
  readonly q: string;
  readonly queue: string;
  readonly source: string;
  readonly order: "newest" | "due";
}

/** How long somebody who types may pause before the search is sent. */
const typingPauseMs = 300;

export function QueuePage() {
  const [filters, setFilters] = useFilters();
  const [q] = useDebouncedValue(filters.q, typingPauseMs);
  const group = stateGroups.find(({ value }) => value === filters.show) ?? stateGroups[0];
  const query: CaseListQuery = {
    q,
    states: group.states,
    queue: filters.queue,
    source: filters.source,
    order: filters.order,
  };
  const cases = useInfiniteQuery({
    queryKey: ["cases", query],
    queryFn: ({ pageParam }) => api.listCases(query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(),
  });
  const items = cases.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = q !== "" || group.value !== "all" || filters.queue !== "" || filters.source !== "";

  return (
    <>
      <title>Queue · Skedchange</title>
      <div className="page-head">
        <h1>Queue</h1>
        <KeyHints />
      </div>
      <FilterBar filters={filters} onChange={setFilters} items={items} />
      {cases.isError ? <ErrorNotice problem={cases.error} onRetry={() => void cases.refetch()} /> : null}
      {cases.isPending ? <LoadingRows /> : null}
      {cases.data !== undefined && items.length === 0 ? (
        <EmptyQueue isFiltered={isFiltered} onReset={() => setFilters(noFilters)} />
      ) : null}
      {items.length === 0 ? null : (
        <>
          <CaseTable items={items} isStale={cases.isPlaceholderData} />
          <div className="list-foot">
            <span className="quiet">
              {items.length} {items.length === 1 ? "case" : "cases"} shown
              {cases.hasNextPage ? "" : ", that is all"}
            </span>
            {cases.hasNextPage ? (
              <Button variant="default" loading={cases.isFetchingNextPage} onClick={() => void cases.fetchNextPage()}>
                Load more
              </Button>
            ) : null}
          </div>
        </>
      )}
      <Announcement shown={items.length} isSettled={cases.data !== undefined && !cases.isPlaceholderData} />
    </>
  );
}

const noFilters: Filters = { show: "all", q: "", queue: "", source: "", order: "newest" };

function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const read = (name: keyof Filters): string => parameters.get(name) ?? noFilters[name];
  const filters: Filters = {
    show: read("show"),
    q: read("q"),
    queue: read("queue"),
    source: read("source"),
    order: read("order") === "due" ? "due" : "newest",
  };
  const change = (changes: Partial<Filters>): void => {
    const given = Object.entries({ ...filters, ...changes }).filter(
      ([name, value]) => value !== noFilters[name as keyof Filters],
    );
    setParameters(new URLSearchParams(given), { replace: true });
  };
  return [filters, change];
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
  readonly items: readonly CaseRow[];
}

function FilterBar({ filters, onChange, items }: FilterBarProps) {
  const search = useRef<HTMLInputElement>(null);
  useKey("/", () => search.current?.focus());
  const queues = useSeen(
    items.map(({ reviewQueue }) => reviewQueue),
    ["agent", "reschedule", "legal", filters.queue],
  );
  const sources = useSeen(
    items.map(({ source }) => source),
    [filters.source],
  );
  return (
    <search className="filters">
      <TextInput
        ref={search}
        aria-label="Search order, booking reference or change"
        placeholder="Order, reference or words of the change"
        type="search"
        leftSection={<SearchIcon />}
        value={filters.q}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label="State"
        data={stateGroups.map(({ value, label }) => ({ value, label }))}
        value={filters.show}
        onChange={(show) => onChange({ show })}
      />
      <NativeSelect
        aria-label="Queue"
        data={[{ value: "", label: "Every queue" }, ...queues.map((value) => ({ value, label: describeQueue(value) }))]}
        value={filters.queue}
        onChange={(event) => onChange({ queue: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Source"
        data={[{ value: "", label: "Every source" }, ...sources.map((value) => ({ value, label: value }))]}
        value={filters.source}
        onChange={(event) => onChange({ source: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Order"
        data={[
          { value: "newest", label: "Newest first" },
          { value: "due", label: "Most urgent first" },
        ]}
        value={filters.order}
        onChange={(event) => onChange({ order: event.currentTarget.value === "due" ? "due" : "newest" })}
      />
    </search>
  );
}

/** Every value that a list has shown so far: what a filter can offer without asking the server for all there are. */
function useSeen(values: readonly (string | null)[], always: readonly string[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const all = [...new Set([...always, ...seen, ...values])].filter(
    (value): value is string => value !== null && value !== "",
  );
  if (all.some((value) => !seen.includes(value))) setSeen(all);
  return all.toSorted();
}

function CaseTable({ items, isStale }: { readonly items: readonly CaseRow[]; readonly isStale: boolean }) {
  const now = useNow();
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (step: 1 | -1): void => {
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? [])];
    const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  };
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  return (
    <div className={isStale ? "table-box stale" : "table-box"}>
      <table className="cases">
        <caption>
          <VisuallyHidden>Cases. Flight times are local at the airport, as printed on the ticket.</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Order</th>
            <th scope="col">
              What changes <span className="quiet">local airport times</span>
            </th>
            <th scope="col">Departure</th>
            <th scope="col">State</th>
            <th scope="col">Decision and reason</th>
            <th scope="col">Next look</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {items.map((item) => (
            <QueueRow key={item.id} item={item} now={now} />
          ))}
        </tbody>
      </table>
    </div>
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
      <h2>{isFiltered ? "No case fits these filters" : "No cases yet"}</h2>
      {isFiltered ? (
        <Button variant="default" onClick={onReset}>
          Show every case
        </Button>
      ) : (
        <p>A case appears here as soon as a gateway pushes a schedule change.</p>
      )}
    </div>
  );
}

function KeyHints() {
  return (
    <p className="hints">
      <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Enter</kbd> open
    </p>
  );
}

/** Says changes of the list to people who cannot see them, a moment later than they happen so that bursts are one. */
function Announcement({ shown, isSettled }: { readonly shown: number; readonly isSettled: boolean }) {
  const { announced } = useLiveUpdates();
  const [settled] = useDebouncedValue(announced, 2_000);
  let text: ReactNode = "";
  if (isSettled) text = `${shown} ${shown === 1 ? "case" : "cases"} shown.`;
  if (isSettled && settled > 0) text = `The list was updated. ${String(text)}`;
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}

/** A key without modifiers, unless somebody is typing or a dialog is open. */
function useKey(key: string, act: () => void): void {
  const [location] = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, textarea, select, [role=dialog], [role=menu]")) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [key, act, location]);
}
