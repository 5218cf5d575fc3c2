import { Button, NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { useRef, useState } from "react";
import type { CaseRow } from "../api/responses.ts";
import { useCommands } from "../commands/commands.tsx";
import { SearchField } from "../components/search-field.tsx";
import { SourceSelect } from "../components/source-select.tsx";
import { useSeen } from "../components/use-seen.ts";
import { assigneeChoices, describeQueue, stateGroups, usernameOf } from "../labels/state-words.ts";
import { AllFilters } from "./all-filters.tsx";
import { canSort, filterChips, hasUrgency, type QueueFilters, queryOf } from "./queue-filters.ts";

interface FilterBarProps {
  readonly filters: QueueFilters;
  readonly onChange: (change: Partial<QueueFilters>) => void;
  readonly items: readonly CaseRow[];
  /** Enter in the search: the only hit is opened, or the first row gets the focus. */
  readonly onEnter: () => void;
}

export function FilterBar({ filters, onChange, items, onEnter }: FilterBarProps) {
  const search = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useCommands({ "queue.search": { run: () => search.current?.select() } });
  const queues = useSeen(
    items.map(({ reviewQueue }) => reviewQueue),
    ["agent", "reschedule", "legal", filters.queue],
  );
  const assignees = useSeen(
    items.map(({ assignee }) => usernameOf(assignee)),
    [filters.assignee],
  ).filter((name) => name !== "me" && name !== "none");
  const { order } = queryOf(filters);
  return (
    <search className="filters">
      <SearchField
        ref={search}
        value={filters.q}
        onChange={(q) => onChange({ q })}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter();
          if (event.key !== "Escape") return;
          // The browser would empty the field.
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <SegmentedControl
        aria-label="State"
        data={stateGroups.map(({ value, label }) => ({ value, label }))}
        value={filters.q === "" ? filters.show : "all"}
        disabled={filters.q !== ""}
        title={filters.q === "" ? undefined : "A search looks in every state"}
        onChange={(show) => onChange({ show, state: "" })}
      />
      <NativeSelect
        aria-label="Assignee"
        data={[...assigneeChoices, ...assignees.map((value) => ({ value, label: value }))]}
        value={filters.assignee}
        onChange={(event) => onChange({ assignee: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Queue"
        data={[{ value: "", label: "All queues" }, ...queues.map((value) => ({ value, label: describeQueue(value) }))]}
        value={filters.queue}
        onChange={(event) => onChange({ queue: event.currentTarget.value })}
      />
      <SourceSelect
        sources={items.map(({ source }) => source)}
        value={filters.source}
        onChange={(source) => onChange({ source })}
      />
      <NativeSelect
        aria-label="Sort by"
        data={[
          { value: "newest", label: "Newest first" },
          { value: "due", label: "Most urgent first" },
          { value: "departure", label: "Departure first" },
        ]}
        value={order}
        disabled={!canSort(filters)}
        title={whyNewestFirst(filters)}
        onChange={(event) => onChange({ order: event.currentTarget.value as QueueFilters["order"] })}
      />
      <Switch
        label="Overdue"
        checked={filters.overdue !== ""}
        onChange={(event) => onChange({ overdue: event.currentTarget.checked ? "1" : "" })}
      />
      <Button variant="default" onClick={() => setIsOpen(true)}>
        All filters …
      </Button>
      {isOpen ? <AllFilters filters={filters} onChange={onChange} onClose={() => setIsOpen(false)} /> : null}
    </search>
  );
}

function whyNewestFirst(filters: QueueFilters): string | undefined {
  if (filters.q !== "") return "A search finds finished cases too, so what it finds is shown newest first";
  return hasUrgency(filters) ? undefined : "Finished cases are not urgent";
}

interface FilterChipsProps {
  readonly filters: QueueFilters;
  readonly onChange: (change: Partial<QueueFilters>) => void;
}

/** Every filter that is set, so that nobody looks for a case in a list that leaves it out. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const chips = filterChips(filters, new Date());
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Filters">
      {chips.map(({ text, without }) => (
        <li key={text}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove filter: ${text}`}
            onClick={() => onChange(without)}
          >
            {text} ✕
          </Button>
        </li>
      ))}
      {chips.length < 2 ? null : (
        <li>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onChange(Object.assign({}, ...chips.map(({ without }) => without)) as Partial<QueueFilters>)}
          >
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}
