import { Checkbox } from "@mantine/core";

interface SelectAllProps {
  readonly items: readonly { readonly id: string }[];
  readonly selected: ReadonlySet<string>;
  readonly label: string;
  /** Whether all of the items are to be selected, or none. */
  readonly onChange: (isSelected: boolean) => void;
}

export function SelectAll({ items, selected, label, onChange }: SelectAllProps) {
  const count = selected.size === 0 ? 0 : items.filter(({ id }) => selected.has(id)).length;
  return (
    <Checkbox
      size="xs"
      aria-label={label}
      checked={count === items.length}
      indeterminate={count > 0 && count < items.length}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
