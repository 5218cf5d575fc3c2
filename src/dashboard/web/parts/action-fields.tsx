import { Button, Group, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { ActionDraft } from "../words/action-draft.ts";
import { channels, closeReasons, travellerAnswers } from "../words/case-actions.ts";
import { toLocalInput } from "../words/moments.ts";
import { latestSnooze, snoozePresets } from "../words/snooze-presets.ts";

interface ActionFieldsProps {
  readonly action: CaseActionName;
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  /** What must be typed before something is cancelled. */
  readonly confirmation: { readonly value: string; readonly label: string };
  /** What should come back when it is cancelled, with its currency; null when that cannot be told. */
  readonly expectedRefund: string | null;
  /** What a rest must not outlast; null when there is nothing, or several cases with different ones. */
  readonly departureAt: string | null;
  readonly dueByAt: string | null;
  /** The user name of the person who looks. */
  readonly me: string;
}

/** What an action asks for, and the note that every action takes. */
export function ActionFields(props: ActionFieldsProps) {
  const { action, draft, onChange } = props;
  const parameters = parametersOf(props);
  const mustSay = action === "note" || (action === "close" && draft.reasonCode === "other");
  return (
    <>
      {parameters}
      <Textarea
        label="Note"
        description={mustSay ? "For whoever reads the case later." : "Why, for whoever reads the case later. Optional."}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        required={mustSay}
        {...(parameters === null ? { "data-autofocus": true } : {})}
        value={draft.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
    </>
  );
}

function parametersOf(props: ActionFieldsProps): ReactNode {
  switch (props.action) {
    case "cancel":
      return <Confirmation {...props} />;
    case "snooze":
      return <Until {...props} />;
    case "assign":
      return <Assignee {...props} />;
    case "close":
      return <CloseReason {...props} />;
    case "traveller-informed":
    case "traveller-asked":
    case "traveller-answered":
      return <Contact {...props} />;
    default:
      return null;
  }
}

function Confirmation({ draft, onChange, confirmation, expectedRefund }: ActionFieldsProps) {
  return (
    <>
      {expectedRefund === null ? null : (
        <p>
          Refund to expect: <strong>{expectedRefund}</strong>. What the gateway answers is compared with it.
        </p>
      )}
      <TextInput
        label={confirmation.label}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={draft.typed}
        onChange={(event) => onChange({ typed: event.currentTarget.value })}
      />
      <p className="quiet">
        Above the value that the agency has set, a second person must approve before anything is sent.
      </p>
    </>
  );
}

function Until({ draft, onChange, departureAt, dueByAt }: ActionFieldsProps) {
  const [now] = useState(() => new Date());
  const limits = {
    now,
    departureAt: departureAt === null ? null : new Date(departureAt),
    dueByAt: dueByAt === null ? null : new Date(dueByAt),
  };
  return (
    <>
      <Group gap="xs" role="group" aria-label="Usual times">
        {snoozePresets(limits).map(({ label, until }, index) => (
          <Button
            key={label}
            variant="default"
            size="xs"
            aria-pressed={draft.until === toLocalInput(until)}
            {...(index === 0 ? { "data-autofocus": true } : {})}
            onClick={() => onChange({ until: toLocalInput(until) })}
          >
            {label}
          </Button>
        ))}
      </Group>
      <TextInput
        type="datetime-local"
        label="Until"
        description="Your time. At most 30 days, and not past the departure or the time by which it must be decided."
        required
        min={toLocalInput(now)}
        max={toLocalInput(latestSnooze(limits))}
        value={draft.until}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </>
  );
}

function Assignee({ draft, onChange, me }: ActionFieldsProps) {
  return (
    <>
      <Group gap="xs" role="group" aria-label="Usual choices">
        <Button
          variant="default"
          size="xs"
          data-autofocus
          aria-pressed={draft.assignee === me}
          onClick={() => onChange({ assignee: me })}
        >
          Me
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-pressed={draft.assignee === ""}
          onClick={() => onChange({ assignee: "" })}
        >
          Nobody
        </Button>
      </Group>
      <TextInput
        label="User name"
        description="Of an agent or above; empty gives it back to everybody."
        autoComplete="off"
        spellCheck={false}
        value={draft.assignee}
        onChange={(event) => onChange({ assignee: event.currentTarget.value })}
      />
    </>
  );
}

function CloseReason({ draft, onChange }: ActionFieldsProps) {
  return (
    <NativeSelect
      label="Reason"
      required
      data-autofocus
      data={[{ value: "", label: "Choose a reason", disabled: true }, ...closeReasons]}
      value={draft.reasonCode}
      onChange={(event) => onChange({ reasonCode: event.currentTarget.value })}
    />
  );
}

function Contact({ action, draft, onChange }: ActionFieldsProps) {
  const [now] = useState(() => new Date());
  return (
    <>
      {action === "traveller-answered" ? (
        <NativeSelect
          label="Answer"
          required
          data-autofocus
          data={[{ value: "", label: "Choose the answer", disabled: true }, ...travellerAnswers]}
          value={draft.answer}
          onChange={(event) => onChange({ answer: event.currentTarget.value })}
        />
      ) : null}
      <div className="field-pair">
        <NativeSelect
          label="Channel"
          {...(action === "traveller-answered" ? {} : { "data-autofocus": true })}
          data={[...channels]}
          value={draft.channel}
          onChange={(event) => onChange({ channel: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label="When"
          required
          max={toLocalInput(now)}
          value={draft.happenedAt}
          onChange={(event) => onChange({ happenedAt: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
