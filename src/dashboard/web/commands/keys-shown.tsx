import { isMac } from "./is-mac.ts";
import { keyCaps } from "./pressed-key.ts";

/** The keys of a command as people read them. */
export function KeysShown({ keys }: { readonly keys: readonly string[] }) {
  return keys.map((key, index) => (
    <span key={key} className="keys">
      {index === 0 ? null : " or "}
      {keyCaps(key, isMac).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  ));
}
