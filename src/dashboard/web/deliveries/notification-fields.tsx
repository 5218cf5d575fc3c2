import { NativeSelect, TextInput } from "@mantine/core";
import { isOfEvents, type Recipient } from "./delivery-api.ts";

type NotificationRules = ReturnType<typeof notificationRulesOf>;

interface NotificationFieldsProps {
  readonly rules: NotificationRules;
  readonly onChange: (rules: NotificationRules) => void;
}

/** Which notifications a recipient of the gateway gets, and what counts as its acknowledgement. */
export function NotificationFields({ rules, onChange }: NotificationFieldsProps) {
  const set = (changed: Partial<NotificationRules>): void => onChange({ ...rules, ...changed });
  return (
    <>
      <TextInput
        label="Airlines"
        description="Codes such as LH AF. Empty: all airlines."
        value={rules.airlines}
        onChange={(event) => set({ airlines: event.currentTarget.value.toUpperCase() })}
      />
      <NativeSelect
        label="Ordering"
        data={[
          { value: "latest", label: "Latest notification of an order only" },
          { value: "every", label: "Every notification, in order" },
        ]}
        value={rules.ordering}
        onChange={(event) => set({ ordering: event.currentTarget.value })}
      />
      <NativeSelect
        label="Acknowledged by"
        data={[
          { value: "required", label: "An AcknowledgeResponse with Status OK" },
          { value: "any-success", label: "Any 2xx response" },
        ]}
        value={rules.acknowledgement}
        onChange={(event) => set({ acknowledgement: event.currentTarget.value })}
      />
      <TextInput
        label="Agency"
        description="The agency that it belongs to. Optional."
        maxLength={100}
        value={rules.agencyId}
        onChange={(event) => set({ agencyId: event.currentTarget.value })}
      />
    </>
  );
}

/** Returns the rules of a recipient, or the usual ones of a new one. */
export function notificationRulesOf(recipient: Recipient | null) {
  const stored = recipient === null || isOfEvents(recipient) ? null : recipient;
  return {
    airlines: stored?.airlines?.join(" ") ?? "",
    ordering: (stored?.ordering ?? "latest") as string,
    acknowledgement: (stored?.acknowledgement ?? "required") as string,
    agencyId: stored?.agencyId ?? "",
  };
}

export function toNotificationRules(rules: NotificationRules) {
  const airlines = rules.airlines.split(/[\s,]+/).filter((code) => code !== "");
  return {
    airlines: airlines.length === 0 ? null : airlines,
    ordering: rules.ordering === "every" ? "every" : "latest",
    acknowledgement: rules.acknowledgement === "any-success" ? "any-success" : "required",
    agencyId: rules.agencyId.trim() === "" ? null : rules.agencyId.trim(),
  } as const;
}
