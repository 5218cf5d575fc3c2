import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../components/form-dialog.tsx";
import { toLocalInput } from "../labels/moments.ts";
import { type FilterField, filterFields, type QueueFilters } from "./queue-filters.ts";

interface AllFiltersProps {
  readonly filters: QueueFilters;
  readonly onChange: (change: Partial<QueueFilters>) => void;
  readonly onClose: () => void;
}

/** The filters that few people set. Typed values apply on submit. */
export function AllFilters({ filters, onChange, onClose }: AllFiltersProps) {
  const [draft, setDraft] = useState<Partial<QueueFilters>>({});
  const shown = { ...filters, ...draft };
  return (
    <FormDialog
      title="All filters"
      size="lg"
      submit="Show"
      onSubmit={() => {
        const typed = filterFields.filter(({ name }) => draft[name] !== undefined);
        onChange(Object.fromEntries(typed.map(({ name, field }) => [name, clean(field, shown[name])])));
        onClose();
      }}
      onClose={onClose}
    >
      <div className="filter-fields">
        {filterFields.map(({ name, field }, index) => (
          <Field
            key={name}
            field={field}
            value={shown[name]}
            isRequired={field.isRequired?.(shown) === true}
            isFirst={index === 0}
            onType={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
      </div>
    </FormDialog>
  );
}

interface FieldProps {
  readonly field: FilterField;
  readonly value: string;
  readonly isRequired: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst: boolean;
  readonly onType: (value: string) => void;
}

function Field({ field, value, isRequired, isFirst, onType }: FieldProps) {
  const { label, description, kind } = field;
  const props = {
    label,
    description,
    required: isRequired,
    className: field.isWide === true ? "wide" : "",
    "data-autofocus": isFirst || undefined,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onType(event.currentTarget.value),
  };
  switch (kind) {
    case "choice":
      return <NativeSelect {...props} data={[...field.choices]} value={value} />;
    case "date":
      return <TextInput {...props} type="date" value={value} />;
    case "moment":
      return <TextInput {...props} type="datetime-local" value={toLocal(value)} />;
    default:
      return (
        <TextInput
          {...props}
          placeholder={field.example}
          pattern={field.pattern}
          title={`Such as ${field.example}`}
          autoComplete="off"
          spellCheck={false}
          value={value}
        />
      );
  }
}

/** Codes are in upper case; names of rules and reasons are as they are. */
function clean({ kind }: FilterField, value: string): string {
  return kind === "code" ? value.trim().toUpperCase() : value.trim();
}

function toLocal(text: string): string {
  return text.endsWith("Z") ? toLocalInput(new Date(text)) : text;
}
