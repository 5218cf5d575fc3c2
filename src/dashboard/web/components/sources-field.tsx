import { Checkbox } from "@mantine/core";
import { useRead } from "../api/hooks.ts";

interface SourcesFieldProps {
  readonly allLabel: string;
  readonly description: string;
  /** Null: all. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
}

export function SourcesField({ allLabel, description, value, onChange }: SourcesFieldProps) {
  const policies = useRead("GET /policies", {});
  const known = policies.data?.sources.map(({ source }) => source) ?? [];
  // What is limited to a source may outlive it.
  const offered = [...new Set([...known, ...(value ?? [])])];
  return (
    <>
      <Checkbox
        label={allLabel}
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : known.slice(0, 1))}
      />
      {value === null ? null : (
        <Checkbox.Group label="Sources" description={description} value={[...value]} onChange={onChange}>
          {offered.map((source) => (
            <Checkbox key={source} value={source} label={source} mt="xs" />
          ))}
        </Checkbox.Group>
      )}
    </>
  );
}
