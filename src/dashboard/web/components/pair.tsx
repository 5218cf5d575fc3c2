import type { ReactNode } from "react";

/** A term with its description, inside a `dl`. */
export function Pair({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
