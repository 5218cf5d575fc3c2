import { Checkbox } from "@mantine/core";
import type { OutgoingEventType } from "../../../sender/events/ports.ts";
import { SourcesField } from "../components/sources-field.tsx";
import { isOfEvents, type Recipient } from "./delivery-api.ts";

interface EventRules {
  /** Null: all. */
  readonly eventTypes: readonly OutgoingEventType[] | null;
  readonly sources: readonly string[] | null;
}

interface EventFieldsProps {
  readonly rules: EventRules;
  readonly onChange: (rules: EventRules) => void;
}

const eventMeanings: Readonly<Record<OutgoingEventType, string>> = {
  "case.opened": "an order has a new case",
  "case.decided": "a case was decided, by the policy or by a person",
  "case.overdue": "the clock of a case has run out",
  "case.done": "a decision was carried out",
  "case.closed": "a case ended without a call to the gateway",
  "effect.succeeded": "the gateway has accepted or cancelled",
  "effect.failed": "the gateway has not accepted or cancelled",
  "effect.unknown": "the outcome at the gateway is unknown",
  "task.opened": "something is left to do for a person",
  "traveller.inform": "the recipient is to inform a traveller, which it takes on by acknowledging",
};

/** Which events a recipient of the agency gets. */
export function EventFields({ rules, onChange }: EventFieldsProps) {
  const { eventTypes } = rules;
  return (
    <>
      <Checkbox
        label="All events but traveller.inform, also those of later versions"
        checked={eventTypes === null}
        onChange={(event) => onChange({ ...rules, eventTypes: event.currentTarget.checked ? null : ["case.decided"] })}
      />
      {eventTypes === null ? null : (
        <Checkbox.Group
          label="Events"
          value={[...eventTypes]}
          onChange={(chosen) => onChange({ ...rules, eventTypes: chosen })}
        >
          {Object.entries(eventMeanings).map(([type, meaning]) => (
            <Checkbox key={type} value={type} label={`${type}: ${meaning}`} mt="xs" />
          ))}
        </Checkbox.Group>
      )}
      <SourcesField
        allLabel="All sources"
        description="It gets only events about cases of these."
        value={rules.sources}
        onChange={(sources) => onChange({ ...rules, sources })}
      />
    </>
  );
}

/** Returns the rules of a recipient, or the usual ones of a new one. */
export function eventRulesOf(recipient: Recipient | null): EventRules {
  const stored = recipient !== null && isOfEvents(recipient) ? recipient : null;
  return { eventTypes: stored?.eventTypes ?? null, sources: stored?.sources ?? null };
}

export function toEventRules({ eventTypes, sources }: EventRules) {
  return {
    eventTypes: eventTypes === null ? null : [...eventTypes],
    sources: sources === null ? null : [...sources],
  };
}
