import { SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";
import { parseInstant, toLocalInput } from "../labels/moments.ts";

const hourMs = 3_600_000;
const presets = [
  { value: "24h", label: "24 h", ms: 24 * hourMs },
  { value: "7d", label: "7 days", ms: 7 * 24 * hourMs },
  { value: "30d", label: "30 days", ms: 30 * 24 * hourMs },
  { value: "90d", label: "90 days", ms: 90 * 24 * hourMs },
] as const;
export const defaultRange = "7d";
export const ownRange = "own";

/** A range as the address of the page names it: a preset, or `own` with two instants, which are empty otherwise. */
export interface PickedRange {
  readonly range: string;
  readonly from: string;
  readonly to: string;
}

/** Returns where a range begins and ends; a preset ends now. */
export function instantsOf({ range, from, to }: PickedRange): Omit<PickedRange, "range"> {
  if (range === ownRange) return { from, to };
  const ms = presets.find(({ value }) => value === range)?.ms ?? presets[1].ms;
  const now = new Date();
  return { from: new Date(now.getTime() - ms).toISOString(), to: now.toISOString() };
}

interface RangePickerProps {
  readonly picked: PickedRange;
  readonly onPick: (picked: PickedRange) => void;
}

/** Lets people choose a preset, or a range of their own, which begins as the preset that was shown. */
export function RangePicker({ picked, onPick }: RangePickerProps) {
  const pick = (range: string): void =>
    onPick(range === ownRange ? { range, ...instantsOf(picked) } : { range, from: "", to: "" });
  return (
    <>
      <SegmentedControl
        aria-label="Range of time"
        data={[...presets.map(({ value, label }) => ({ value, label })), { value: ownRange, label: "Own" }]}
        value={picked.range}
        onChange={pick}
      />
      {picked.range === ownRange ? (
        <>
          <InstantField label="From" at={picked.from} onChange={(from) => onPick({ ...picked, from })} />
          <InstantField label="To" at={picked.to} onChange={(to) => onPick({ ...picked, to })} />
        </>
      ) : null}
    </>
  );
}

function InstantField({
  label,
  at,
  onChange,
}: {
  readonly label: string;
  readonly at: string;
  readonly onChange: (at: string) => void;
}) {
  const [text, setText] = useState(() => (at === "" ? "" : toLocalInput(new Date(at))));
  return (
    <TextInput
      type="datetime-local"
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const instant = parseInstant(event.currentTarget.value);
        if (instant !== null) onChange(instant.toISOString());
      }}
    />
  );
}
