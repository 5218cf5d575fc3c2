import { NativeSelect } from "@mantine/core";
import { useSeen } from "./use-seen.ts";

interface SourceSelectProps {
  /** Of the list that is filtered. */
  readonly items: readonly { readonly source: string }[];
  /** Empty for all. */
  readonly value: string;
  readonly onChange: (source: string) => void;
}

/** Not there while only one source is known. */
export function SourceSelect({ items, value, onChange }: SourceSelectProps) {
  const sources = useSeen(
    items.map(({ source }) => source),
    [value],
  );
  if (sources.length < 2 && value === "") return null;
  return (
    <NativeSelect
      aria-label="Source"
      data={[{ value: "", label: "All sources" }, ...sources.map((name) => ({ value: name, label: name }))]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
