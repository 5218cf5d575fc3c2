import type { ReactNode } from "react";

/** A term with its description, inside a `dl`. */
export function Pair({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
