import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseActionParameter } from "../../../cases/case-command.ts";
import { AssigneePicker } from "../components/assignee-picker.tsx";
import { NoteField } from "../components/note-field.tsx";
import { formatInstant, parseInstant, toLocalInput } from "../labels/moments.ts";
import { type ActionDraft, actionWords, type ParameterField, parameterFields } from "./case-actions.ts";
import { describeSnoozeLimit, snoozePresets } from "./snooze-presets.ts";

interface ActionFieldsProps {
  readonly action: CaseActionName;
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  /** The text that must be typed to confirm a cancel. */
  readonly confirmation: { readonly value: string; readonly label: string; readonly description?: string | null };
  /** Called when a suggestion is chosen by key, to act at once. Without it, numbers do nothing. */
  readonly onSuggest?: (change: Partial<ActionDraft>) => void;
  /** With its currency; null if it is unknown. */
  readonly expectedRefund: string | null;
  /** Who else must agree to a cancel; null if nobody. */
  readonly approval: string | null;
  /** Limits of a snooze. Null for a bulk action, whose cases have different ones. */
  readonly dueByAt: string | null;
  readonly snoozableUntil: string | null;
  /** The source of the case; null for a bulk action. */
  readonly source: string | null;
}

/** The parameters of the action, and the note that every action takes. */
export function ActionFields(props: ActionFieldsProps) {
  const { action, draft, onChange } = props;
  const { fields = [], needsNote } = actionWords[action];
  const rows = fields.filter(isAskedFor);
  const textRequired = needsNote?.(draft) === true;
  return (
    <>
      {rows.map((row, index) => (
        <FieldRow key={row.join()} row={row} isFirst={index === 0} {...props} />
      ))}
      <NoteField
        description={textRequired ? "Shown in the timeline." : "Optional. Shown in the timeline."}
        required={textRequired}
        isFocusedFirst={rows.length === 0 && needsNote !== undefined}
        value={draft.note}
        onChange={(note) => onChange({ note })}
      />
    </>
  );
}

/** Whether the dialog of the action has more than a note. */
export function asksForFields(action: CaseActionName): boolean {
  return (actionWords[action].fields ?? []).some(isAskedFor);
}

function isAskedFor(row: readonly CaseActionParameter[]): boolean {
  return row.some((name) => parameterFields[name].kind !== "approval");
}

const autoFocus = { "data-autofocus": true };

interface FieldRowProps extends ActionFieldsProps {
  readonly row: readonly CaseActionParameter[];
  readonly isFirst: boolean;
}

function FieldRow({ row, isFirst, ...props }: FieldRowProps) {
  const shown = row.map((name, index) => (
    <ParameterInput key={name} name={name} hasFocus={isFirst && index === 0} {...props} />
  ));
  return row.length === 1 ? shown : <div className="field-pair">{shown}</div>;
}

interface ParameterInputProps extends ActionFieldsProps {
  readonly name: CaseActionParameter;
  readonly hasFocus: boolean;
}

function ParameterInput(props: ParameterInputProps): ReactNode {
  const field = parameterFields[props.name];
  switch (field.kind) {
    case "confirmation":
      return <Confirmation {...props} />;
    case "choice":
      return <Choice {...props} field={field} />;
    case "past":
      return <Past {...props} label={field.label} />;
    case "future":
      return <Future {...props} label={field.label} />;
    case "person":
      return <Person {...props} />;
    case "text":
      return <Text {...props} field={field} />;
    case "approval":
      return null;
  }
}

function Confirmation({
  name,
  hasFocus,
  draft,
  onChange,
  confirmation,
  expectedRefund,
  approval,
}: ParameterInputProps) {
  return (
    <>
      {expectedRefund === null ? null : (
        <p>
          Expected refund: <strong>{expectedRefund}</strong>. The actual refund is compared with it.
        </p>
      )}
      <TextInput
        label={confirmation.label}
        {...(confirmation.description == null ? {} : { description: confirmation.description })}
        autoComplete="off"
        spellCheck={false}
        {...(hasFocus ? autoFocus : {})}
        value={draft[name]}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
      {approval === null ? null : <p className="quiet">{approval}</p>}
    </>
  );
}

type FutureProps = ParameterInputProps & { readonly label: string };

function Future({ name, label, hasFocus, draft, onChange, onSuggest, dueByAt, snoozableUntil }: FutureProps) {
  const [now] = useState(() => new Date());
  const limits = {
    now,
    dueByAt: dueByAt === null ? null : new Date(dueByAt),
    latest: snoozableUntil === null ? null : new Date(snoozableUntil),
  };
  const presets = snoozePresets(limits);
  const chosen = parseInstant(draft[name]);
  const chooseByNumber = (event: KeyboardEvent): void => {
    const preset = presets[Number(event.key) - 1];
    if (preset === undefined || onSuggest === undefined || event.repeat) return;
    event.preventDefault();
    onSuggest({ [name]: toLocalInput(preset.until) });
  };
  return (
    <>
      <Group gap="xs" role="group" aria-label="Suggested times" onKeyDown={chooseByNumber}>
        {presets.map(({ label, until }, index) => (
          <Button
            key={label}
            variant="default"
            size="xs"
            aria-pressed={draft[name] === toLocalInput(until)}
            {...(hasFocus && index === 0 ? autoFocus : {})}
            onClick={() => onChange({ [name]: toLocalInput(until) })}
          >
            {onSuggest === undefined ? null : <kbd aria-hidden="true">{index + 1}</kbd>}
            <span>{label}</span>
          </Button>
        ))}
      </Group>
      <TextInput
        type="datetime-local"
        label={label}
        // The browser shows the field in its own format, so the choice is repeated in words.
        description={`${chosen === null ? "" : `Until ${formatInstant(chosen, now)}. `}Your local time. ${describeSnoozeLimit(limits, (at) => formatInstant(at, now))}`}
        required
        min={toLocalInput(now)}
        {...(limits.latest === null ? {} : { max: toLocalInput(limits.latest) })}
        value={draft[name]}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </>
  );
}

function Person({ name, draft, onChange, onSuggest, source }: ParameterInputProps) {
  return (
    <AssigneePicker
      source={source}
      value={draft[name]}
      onChange={(username) => onChange({ [name]: username })}
      {...(onSuggest === undefined ? {} : { onEnter: (username: string) => onSuggest({ [name]: username }) })}
    />
  );
}

type TextProps = ParameterInputProps & { readonly field: Extract<ParameterField, { readonly kind: "text" }> };

function Text({ name, field, hasFocus, draft, onChange }: TextProps) {
  return (
    <TextInput
      label={field.label}
      description={field.description}
      required
      autoComplete="off"
      spellCheck={false}
      {...(hasFocus ? autoFocus : {})}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
}

type ChoiceProps = ParameterInputProps & { readonly field: Extract<ParameterField, { readonly kind: "choice" }> };

function Choice({ name, field, hasFocus, draft, onChange }: ChoiceProps) {
  const first = "choose" in field ? [{ value: "", label: field.choose, disabled: true }] : [];
  return (
    <NativeSelect
      label={field.label}
      required={"choose" in field}
      {...(hasFocus ? autoFocus : {})}
      data={[...first, ...field.choices]}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
}

function Past({ name, label, hasFocus, draft, onChange }: ParameterInputProps & { readonly label: string }) {
  const [now] = useState(() => new Date());
  return (
    <TextInput
      type="datetime-local"
      label={label}
      required
      {...(hasFocus ? autoFocus : {})}
      max={toLocalInput(now)}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
}
