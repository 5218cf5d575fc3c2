import type { Words } from "../labels/state-words.ts";

export function ToneBadge({ label, tone, meaning }: Words) {
  return (
    <span className={`badge tone-${tone}`} title={meaning}>
      {label}
    </span>
  );
}
