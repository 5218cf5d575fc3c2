import type { ReactNode } from "react";
import { Link } from "wouter";

interface TileProps {
  readonly figure: ReactNode;
  readonly label: string;
  readonly note?: string;
  readonly href?: string;
  /** Marks any figure but 0 as a problem. */
  readonly isBad?: boolean;
}

/** A figure with its label; a link to what it counts. */
export function Tile({ figure, label, note = "", href, isBad = false }: TileProps) {
  const shown = typeof figure === "number" ? figure.toLocaleString("en") : figure;
  const content = (
    <>
      <strong>{shown}</strong>
      <span>{label}</span>
      {note === "" ? null : <span className="quiet">{note}</span>}
    </>
  );
  return (
    <li className={isBad && figure !== 0 ? "tile bad" : "tile"}>
      {href === undefined ? <div>{content}</div> : <Link href={href}>{content}</Link>}
    </li>
  );
}
