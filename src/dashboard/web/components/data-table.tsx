import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import "./data-table.css";

export interface Column<Item> {
  readonly title: string;
  /** Only screen readers are told the title. */
  readonly isTitleHidden?: boolean;
  readonly cell: (item: Item) => ReactNode;
  /** On the card of a narrow screen, before the cell. Default: the title; null: nothing. */
  readonly label?: string | null | ((item: Item) => string | null);
  readonly className?: string;
  readonly isNumber?: boolean;
}

interface DataTableProps<Item> {
  /** For screen readers, and above figures for all; not given where a heading says it. */
  readonly caption?: ReactNode;
  /** A list is wide, and shown as cards on a narrow screen; figures are a list of numbers; rules are a small table in a panel. */
  readonly look: keyof typeof looks;
  readonly className?: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, at: number) => string | number;
  /** The first one is the head of each row. Those that are null are left out. */
  readonly columns: readonly (Column<Item> | null)[];
}

const looks = { list: "list cards", figures: "list cards figures", rules: "rules" } as const;

export function DataTable<Item>({ caption, look, className = "", items, keyOf, columns }: DataTableProps<Item>) {
  const [head, ...others] = columns.filter((column) => column !== null);
  const table = (
    <table className={`${looks[look]} ${className}`.trim()}>
      {caption === undefined ? null : (
        <caption>{look === "figures" ? caption : <VisuallyHidden>{caption}</VisuallyHidden>}</caption>
      )}
      <thead>
        <tr>
          {[head!, ...others].map(({ title, isTitleHidden = false, isNumber = false }) => (
            <th key={title} scope="col" className={isNumber ? "number" : undefined}>
              {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, at) => (
          <tr key={keyOf(item, at)}>
            <th scope="row">{head!.cell(item)}</th>
            {others.map((column) => (
              <td
                key={column.title}
                className={column.isNumber === true ? "number" : column.className}
                data-label={labelOf(column, item)}
              >
                {column.cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return look === "rules" ? table : <div className="table-box">{table}</div>;
}

function labelOf<Item>({ title, label = title }: Column<Item>, item: Item): string | undefined {
  return (typeof label === "function" ? label(item) : label) ?? undefined;
}
