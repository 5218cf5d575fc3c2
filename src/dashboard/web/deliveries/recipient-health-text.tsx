import type { Words } from "../labels/state-words.ts";
import { adviceFor } from "./attempt-advice.ts";
import type { Recipient } from "./delivery-api.ts";

interface HealthTextProps {
  readonly recipient: Recipient;
  readonly health: Words;
}

/** What goes wrong in plain words, and what to do; the technical message is in the tooltip. */
export function HealthText({ recipient: { trouble }, health }: HealthTextProps) {
  const advice = trouble === null ? null : adviceFor(trouble.code);
  const what = advice?.what ?? trouble?.message;
  return (
    <div className="advice">
      <p>{health.meaning}</p>
      {trouble === null || advice === null ? null : (
        <>
          {what === health.meaning ? null : <p title={trouble.message}>{what}</p>}
          <p className="quiet">{advice.todo}</p>
        </>
      )}
    </div>
  );
}
