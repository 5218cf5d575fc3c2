import type { ComponentType } from "react";
import type { SeverityName } from "../../../itinerary/severity.ts";
import { describeCaseState, describeEffect, severityWords, type Tone } from "../labels/state-words.ts";
import { CriticalIcon, ImprovementIcon, MajorIcon, MinorIcon, NoneIcon } from "./icons.tsx";

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

export function EffectStateBadge({ effect }: { readonly effect: Parameters<typeof describeEffect>[0] }) {
  const { label, tone, meaning } = describeEffect(effect);
  return <Badge label={label} tone={tone} title={meaning} />;
}

const severityIcons: Readonly<Record<SeverityName, ComponentType>> = {
  none: NoneIcon,
  improvement: ImprovementIcon,
  minor: MinorIcon,
  major: MajorIcon,
  critical: CriticalIcon,
};

/** Does not rely on colour alone. */
export function SeverityMark({ severity }: { readonly severity: SeverityName | null }) {
  if (severity === null) return <span className="quiet">–</span>;
  const Icon = severityIcons[severity];
  return (
    <span className={`severity severity-${severity}`}>
      <Icon />
      {severityWords[severity]}
    </span>
  );
}
