import type { BodyDeletion } from "../api/responses.ts";
import { When } from "./when.tsx";

/** Where the button for the body would be. */
export function BodyDeleted({ deletion: { at, by } }: { readonly deletion: BodyDeletion }) {
  return (
    <span className="quiet">
      {by === "erasure" ? "Erased" : "Deleted by retention"} <When at={at} />
    </span>
  );
}
