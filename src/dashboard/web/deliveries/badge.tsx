import type { Tone } from "../labels/state-words.ts";

export function ToneBadge(words: { readonly label: string; readonly tone: Tone; readonly meaning: string }) {
  return (
    <span className={`badge tone-${words.tone}`} title={words.meaning}>
      {words.label}
    </span>
  );
}
