import { type ReactNode, useState } from "react";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const copiedForMs = 1_500;

export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), copiedForMs);
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={labelOf(isCopied ? "Copied" : "Copy", what, value)}
      title={isCopied ? "Copied" : `Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        // Browsers refuse it over plain HTTP. The text can still be selected.
        copy().catch(() => undefined);
      }}
    >
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}

interface CopyableProps {
  readonly value: string;
  readonly what: string;
  readonly children?: ReactNode;
}

/** A value, shown as code unless `children` show it, with a button to copy it. */
export function Copyable({ value, what, children = <span className="code">{value}</span> }: CopyableProps) {
  return (
    <span className="copyable">
      {children}
      <CopyButton value={value} what={what} />
    </span>
  );
}

export function References({ references }: { readonly references: readonly string[] }) {
  if (references.length === 0) return <span className="quiet">no booking reference</span>;
  return (
    <span className="references">
      {references.map((reference) => (
        <Copyable key={reference} value={reference} what="booking reference" />
      ))}
    </span>
  );
}

/** Screen readers do not read longer values out. */
const spokenLengthMax = 40;

function labelOf(verb: string, what: string, value: string): string {
  return value.length > spokenLengthMax ? `${verb} ${what}` : `${verb} ${what} ${value}`;
}
