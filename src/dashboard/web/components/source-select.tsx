import { NativeSelect } from "@mantine/core";
import { useSeen } from "./use-seen.ts";

interface SourceSelectProps {
  /** The sources known so far; a filter of a list hands in those of its items, with repetitions. */
  readonly sources: readonly string[];
  /** Empty for all. */
  readonly value: string;
  readonly onChange: (source: string) => void;
}

/** Lets people choose one of the sources. Shows nothing while only one source is known. */
export function SourceSelect({ sources, value, onChange }: SourceSelectProps) {
  const known = useSeen(sources, [value]);
  if (known.length < 2 && value === "") return null;
  return (
    <NativeSelect
      aria-label="Source"
      data={[{ value: "", label: "All sources" }, ...known.map((name) => ({ value: name, label: name }))]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
