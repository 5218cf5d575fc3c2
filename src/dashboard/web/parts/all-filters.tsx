import { NativeSelect, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { severityFilterWords } from "../words/filter-words.ts";
import { toLocalInput } from "../words/moments.ts";
import { describeCaseStates, pendingStates } from "../words/state-words.ts";
import { FormDialog } from "./form-dialog.tsx";
import type { QueueFilters } from "./queue-filters.ts";

interface AllFiltersProps {
  readonly filters: QueueFilters;
  readonly onChange: (change: Partial<QueueFilters>) => void;
  readonly onClose: () => void;
}

/** The filters that few people set. What is typed counts once it is confirmed. */
export function AllFilters({ filters, onChange, onClose }: AllFiltersProps) {
  const [draft, setDraft] = useState<Partial<QueueFilters>>({});
  const text = (name: keyof QueueFilters, label: string, pattern: string, placeholder: string): ReactNode => (
    <TextInput
      label={label}
      placeholder={placeholder}
      pattern={pattern}
      title={`Such as ${placeholder}`}
      autoComplete="off"
      spellCheck={false}
      value={draft[name] ?? filters[name]}
      onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
    />
  );
  const moment = (name: keyof QueueFilters, label: string): ReactNode => (
    <TextInput
      type="datetime-local"
      label={label}
      value={localOf(draft[name] ?? filters[name])}
      onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
    />
  );
  return (
    <FormDialog
      title="All filters"
      size="lg"
      submit="Show"
      onSubmit={() => {
        onChange(Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, cleaned(name, value)])));
        onClose();
      }}
      onClose={onClose}
    >
      <NativeSelect
        label="State"
        data-autofocus
        data={[{ value: "", label: "Any of the list" }, ...stateChoices]}
        value={draft.state ?? filters.state}
        onChange={(event) => setDraft({ ...draft, state: event.currentTarget.value })}
      />
      <div className="field-pair">
        <NativeSelect
          label="Severity"
          data={[
            { value: "", label: "Any" },
            ...Object.entries(severityFilterWords).map(([value, label]) => ({ value, label })),
            { value: "critical,major", label: "Critical or major" },
          ]}
          value={draft.severities ?? filters.severities}
          onChange={(event) => setDraft({ ...draft, severities: event.currentTarget.value })}
        />
        {text("airline", "Airline", "[A-Za-z0-9]{2,3}", "LH")}
      </div>
      <div className="field-pair">
        {text("airport", "Airport", "[A-Za-z]{3}", "FRA")}
        {text("route", "Route", "[A-Za-z]{3}-[A-Za-z]{3}", "FRA-JFK")}
      </div>
      <div className="field-pair">
        {text("flight", "Flight", "[A-Za-z0-9]{2,3}[0-9]{1,4}[A-Za-z]?", "LH400")}
        <TextInput
          type="date"
          label="Date of the flight"
          required={(draft.flight ?? filters.flight) !== ""}
          value={draft.date ?? filters.date}
          onChange={(event) => setDraft({ ...draft, date: event.currentTarget.value })}
        />
      </div>
      <div className="field-pair">
        {moment("departsFrom", "Departs from")}
        {moment("departsBefore", "Departs before")}
      </div>
      <div className="field-pair">
        {moment("openedFrom", "Case opened from")}
        {moment("openedBefore", "Case opened before")}
      </div>
      <div className="field-pair">
        {text("rule", "Rule or check", ".{1,200}", "small-shift")}
        {text("reason", "Reason code", ".{1,200}", "effect-outcome")}
      </div>
      <div className="field-pair">
        {text("valueMin", "Value from", "[0-9]{1,15}([.][0-9]{1,4})?", "500")}
        {text("valueMax", "Value to", "[0-9]{1,15}([.][0-9]{1,4})?", "2000.50")}
      </div>
      <TextInput
        label="Currency of the value"
        description="Orders in other currencies are left out."
        placeholder="EUR"
        pattern="[A-Za-z]{3}"
        required={(draft.valueMin ?? filters.valueMin) !== "" || (draft.valueMax ?? filters.valueMax) !== ""}
        value={draft.currency ?? filters.currency}
        onChange={(event) => setDraft({ ...draft, currency: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

const stateChoices = [
  ...["awaiting-agent", "ask-traveller", "awaiting-traveller", "snoozed", pendingStates],
  ...["received", "checking", "accepting", "cancelling", "done", "resolved-elsewhere", "closed"],
].map((value) => ({ value, label: describeCaseStates(value) }));

/** Codes are in upper case; names of rules and reasons are as they are. */
function cleaned(name: string, value: string): string {
  const text = value.trim();
  return ["airline", "airport", "route", "flight", "currency"].includes(name) ? text.toUpperCase() : text;
}

function localOf(text: string): string {
  return text.endsWith("Z") ? toLocalInput(new Date(text)) : text;
}
