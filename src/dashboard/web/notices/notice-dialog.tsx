import { Checkbox, Group, NativeSelect, NumberInput, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import type { NoticeRow } from "../api/responses.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { browserZone } from "../labels/moments.ts";
import { channelWords, weekdayChoices } from "./notice-words.ts";

type Channel = NoticeRow["channel"];

interface Draft {
  readonly name: string;
  readonly channel: Channel;
  readonly addresses: readonly string[];
  /** Empty: the one that is stored. */
  readonly webhookUrl: string;
  readonly queues: readonly string[];
  readonly sources: readonly string[];
  readonly priorityMax: string;
  readonly timing: NoticeRow["when"]["type"];
  readonly minutes: number;
  readonly times: readonly string[];
  readonly weekdays: readonly string[];
  readonly timeZone: string;
}

/** Adds a notice, or changes one. */
export function NoticeDialog({ rule, onClose }: { readonly rule: NoticeRow | null; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(rule));
  const change = (members: Partial<Draft>): void => setDraft({ ...draft, ...members });
  const save = useChanging((): Promise<unknown> => {
    const { destination, ...members } = toBody(draft);
    if (rule === null) return call("POST /notice-rules", { body: { ...members, destination: destination! } });
    const body = { ...members, ...(destination === null ? {} : { destination }) };
    return call("PATCH /notice-rules/{id}", { params: { id: rule.id }, body });
  }, onClose);
  return (
    <FormDialog
      title={rule === null ? "Add notice" : "Change notice"}
      change={save}
      failed="The notice was not saved"
      submit="Save"
      isDisabled={!isComplete(draft, rule)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The messages show it."
        required
        maxLength={100}
        data-autofocus
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <DestinationFields draft={draft} rule={rule} change={change} />
      <TimingFields draft={draft} change={change} />
      <TagsInput
        label="Queues"
        description="Cases in these queues. Empty: all queues."
        data={["agent", "reschedule", "legal"]}
        value={[...draft.queues]}
        onChange={(queues) => change({ queues })}
      />
      <TagsInput
        label="Sources"
        description="Cases of these sources. Empty: all sources."
        value={[...draft.sources]}
        onChange={(sources) => change({ sources })}
      />
      <NativeSelect
        label="Priority"
        data={priorityChoices}
        value={draft.priorityMax}
        onChange={(event) => change({ priorityMax: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (members: Partial<Draft>) => void;
}

function DestinationFields({ draft, rule, change }: FieldsProps & { readonly rule: NoticeRow | null }) {
  return (
    <>
      <NativeSelect
        label="Send by"
        data={Object.entries(channelWords).map(([value, label]) => ({ value, label }))}
        value={draft.channel}
        onChange={(event) => change({ channel: event.currentTarget.value as Channel, webhookUrl: "" })}
      />
      {draft.channel === "email" ? (
        <TagsInput
          label="E-mail addresses"
          description="Press Enter after each."
          required
          value={[...draft.addresses]}
          onChange={(addresses) => change({ addresses })}
        />
      ) : (
        <TextInput
          label="Webhook URL"
          description={
            hasStoredWebhook(draft, rule) ? "Leave it empty to keep the stored one." : webhookAdvice[draft.channel]
          }
          required={!hasStoredWebhook(draft, rule)}
          type="url"
          autoComplete="off"
          value={draft.webhookUrl}
          onChange={(event) => change({ webhookUrl: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const webhookAdvice = {
  slack: "From the incoming webhooks of your Slack app.",
  teams: "From the workflow “Send webhook alerts to a channel” of the Workflows app.",
} as const;

function TimingFields({ draft, change }: FieldsProps) {
  return (
    <>
      <NativeSelect
        label="When"
        data={[
          { value: "at-once", label: "At once, gathered for some seconds" },
          { value: "before-deadline", label: "Before the deadline of a case" },
          { value: "digest", label: "Digest of all that waits, at fixed times" },
        ]}
        value={draft.timing}
        onChange={(event) => change({ timing: event.currentTarget.value as Draft["timing"] })}
      />
      {draft.timing === "before-deadline" ? (
        <NumberInput
          label="Minutes before"
          min={5}
          max={10_080}
          allowDecimal={false}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes: Number(minutes) })}
        />
      ) : null}
      {draft.timing === "digest" ? (
        <>
          <TagsInput
            label="Times"
            description="Such as 08:00. Press Enter after each."
            required
            value={[...draft.times]}
            onChange={(times) => change({ times })}
          />
          <Checkbox.Group
            label="Weekdays"
            value={[...draft.weekdays]}
            onChange={(weekdays) => change({ weekdays })}
            required
          >
            <Group gap="sm">
              {weekdayChoices.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
        </>
      ) : null}
      <TextInput
        label="Time zone"
        description="Of the times in messages."
        required
        value={draft.timeZone}
        onChange={(event) => change({ timeZone: event.currentTarget.value })}
      />
    </>
  );
}

const priorityChoices = [
  { value: "9", label: "All" },
  ...[0, 1, 2, 3, 4].map((priority) => ({
    value: String(priority),
    label: priority === 0 ? "0 only, the most urgent" : `0 to ${priority}`,
  })),
];

function draftOf(rule: NoticeRow | null): Draft {
  const when = rule?.when ?? { type: "at-once" };
  return {
    name: rule?.name ?? "",
    channel: rule?.channel ?? "email",
    addresses: rule?.channel === "email" ? rule.to : [],
    webhookUrl: "",
    queues: rule?.queues ?? [],
    sources: rule?.sources ?? [],
    priorityMax: String(rule === null || rule.priorityMax > 4 ? 9 : rule.priorityMax),
    timing: when.type,
    minutes: when.type === "before-deadline" ? when.minutes : 60,
    times: when.type === "digest" ? when.times : ["08:00"],
    weekdays: when.type === "digest" ? when.weekdays.map(String) : ["1", "2", "3", "4", "5"],
    timeZone: rule?.timeZone ?? browserZone,
  };
}

function hasStoredWebhook({ channel }: Draft, rule: NoticeRow | null): boolean {
  return rule !== null && rule.channel === channel && channel !== "email";
}

function isComplete(draft: Draft, rule: NoticeRow | null): boolean {
  const hasDestination =
    draft.channel === "email"
      ? draft.addresses.length > 0
      : draft.webhookUrl.trim() !== "" || hasStoredWebhook(draft, rule);
  const hasTimes = draft.timing !== "digest" || (draft.times.length > 0 && draft.weekdays.length > 0);
  return draft.name.trim() !== "" && draft.timeZone.trim() !== "" && hasDestination && hasTimes;
}

function toBody({ name, queues, sources, priorityMax, timeZone, ...draft }: Draft) {
  return {
    name: name.trim(),
    queues: queues.length === 0 ? null : [...queues],
    sources: sources.length === 0 ? null : [...sources],
    priorityMax: Number(priorityMax),
    timeZone: timeZone.trim(),
    when: toTiming(draft),
    destination: toDestination(draft),
  };
}

function toTiming({ timing, minutes, times, weekdays }: Pick<Draft, "timing" | "minutes" | "times" | "weekdays">) {
  switch (timing) {
    case "at-once":
      return { type: timing };
    case "before-deadline":
      return { type: timing, minutes };
    case "digest":
      return { type: timing, times: [...times], weekdays: weekdays.map(Number) };
  }
}

function toDestination({ channel, addresses, webhookUrl }: Pick<Draft, "channel" | "addresses" | "webhookUrl">) {
  if (channel === "email") return { type: channel, addresses: [...addresses] };
  return webhookUrl.trim() === "" ? null : { type: channel, webhookUrl: webhookUrl.trim() };
}
