import {
  describeCaseState,
  describeEffectState,
  type Severity,
  severityWords,
  type Tone,
} from "../words/state-words.ts";
import { HighIcon, LowIcon, MediumIcon } from "./icons.tsx";

function Badge({ tone, label, title }: { readonly tone: Tone; readonly label: string; readonly title: string }) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {label}
    </span>
  );
}

export function CaseStateBadge({ state }: { readonly state: string }) {
  const { label, tone, meaning } = describeCaseState(state);
  return <Badge label={label} tone={tone} title={meaning} />;
}

export function EffectStateBadge({ state }: { readonly state: string }) {
  const { label, tone, meaning } = describeEffectState(state);
  return <Badge label={label} tone={tone} title={meaning} />;
}

/** Shape and word, not only colour. */
export function SeverityMark({ severity }: { readonly severity: Severity | null }) {
  if (severity === null) return <span className="quiet">–</span>;
  return (
    <span className={`severity severity-${severity}`}>
      {severity === "high" ? <HighIcon /> : severity === "medium" ? <MediumIcon /> : <LowIcon />}
      {severityWords[severity]}
    </span>
  );
}
