import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { defaultLanesText, recipientDefaults } from "../../../sender/recipient-defaults.ts";
import { useChanging } from "../api/create-hooks.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import {
  AuthorizationFields,
  type AuthorizationInput,
  noAuthorization,
  readAuthorization,
} from "./authorization-fields.tsx";
import { CertificateFields, type CertificateInput, readCertificate } from "./certificate-fields.tsx";
import type { AddedRecipient, Recipient, RecipientInput } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { EventFields, eventRulesOf, toEventRules } from "./event-fields.tsx";
import { NotificationFields, notificationRulesOf, toNotificationRules } from "./notification-fields.tsx";

interface RecipientFormProps {
  /** Null for a new one. */
  readonly recipient: Recipient | null;
  readonly onClose: () => void;
  readonly onDone: (recipient: Recipient) => void;
}

interface Rules {
  readonly name: string;
  readonly url: string;
  readonly deadlineSeconds: number | string;
  readonly lanesMax: number | string;
  readonly ratePerSecond: number | string;
}

/** The highest that the API takes. */
const limits = { deadlineSeconds: 60, lanesMax: 64, ratePerSecond: 1_000 };

/** Adds a recipient or changes one. Stored credentials stay unless new ones are entered. */
export function RecipientForm({ recipient, onClose, onDone }: RecipientFormProps) {
  const { client, sends } = useDeliverySide();
  const ofEvents = sends === "events";
  const [rules, setRules] = useState<Rules>(() => rulesOf(recipient));
  const [notificationRules, setNotificationRules] = useState(() => notificationRulesOf(recipient));
  const [eventRules, setEventRules] = useState(() => eventRulesOf(recipient));
  const [authorization, setAuthorization] = useState<AuthorizationInput>({
    ...noAuthorization,
    kind: recipient !== null ? "keep" : ofEvents ? "none" : "basic",
  });
  const [certificate, setCertificate] = useState<CertificateInput>({
    kind: recipient === null ? "none" : "keep",
    certificate: "",
    privateKey: "",
    authorities: "",
  });
  const [secrets, setSecrets] = useState("");
  const [replacesSecrets, setReplacesSecrets] = useState(recipient === null);
  const done = (saved: Recipient): void => {
    onDone(saved);
    onClose();
  };
  const save = useChanging(
    (body: RecipientInput): Promise<AddedRecipient> =>
      recipient === null
        ? (client.call("POST /recipients", { body }) as Promise<AddedRecipient>)
        : client.call("PATCH /recipients/{id}", { params: { id: recipient.id }, body }),
    (saved) => {
      if (saved.signingSecret === undefined) done(saved);
    },
    { isSecret: true },
  );
  const set = (changed: Partial<Rules>): void => setRules({ ...rules, ...changed });
  const submit = (): void => {
    const credential = readAuthorization(authorization);
    const clientCertificate = readCertificate(certificate);
    save.mutate({
      ...toLimits(rules),
      ...(ofEvents ? toEventRules(eventRules) : toNotificationRules(notificationRules)),
      ...(credential === null ? {} : { authorization: credential }),
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      ...(replacesSecrets && (recipient !== null || secrets.trim() !== "") ? { signingSecrets: linesOf(secrets) } : {}),
    });
  };
  const limitField = (name: keyof typeof limits, label: string, empty: string) => (
    <NumberInput
      label={label}
      description={`1 to ${limits[name].toLocaleString("en")}. Empty: ${empty}.`}
      min={1}
      max={limits[name]}
      allowDecimal={name === "deadlineSeconds"}
      value={rules[name]}
      onChange={(limit) => set({ [name]: limit })}
    />
  );
  if (save.data?.signingSecret !== undefined) {
    const added = save.data;
    return (
      <SecretOnce
        title="Recipient added"
        what="signing secret"
        secret={save.data.signingSecret}
        onClose={() => done(added)}
      >
        With this secret, {added.name} checks that an event comes from here. It is not shown again, so store it there
        now.
      </SecretOnce>
    );
  }
  return (
    <FormDialog
      title={recipient === null ? "Add a recipient" : `Edit ${recipient.name}`}
      size="lg"
      change={save}
      failed="The recipient was not saved"
      submit={recipient === null ? "Add" : "Save"}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={200}
        value={rules.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="URL"
        type="url"
        required
        spellCheck={false}
        description={`${ofEvents ? "Events" : "Notifications"} are posted here. It must be public and use https, unless the operator allows others.`}
        value={rules.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <AuthorizationFields
        input={authorization}
        stored={recipient?.authorization.type ?? null}
        offersNone={ofEvents}
        onChange={setAuthorization}
      />
      <CertificateFields input={certificate} isNew={recipient === null} onChange={setCertificate} />
      <fieldset>
        <legend>Signature</legend>
        {recipient === null ? null : (
          <NativeSelect
            label="Signing secrets"
            data={[
              { value: "keep", label: `Keep current (${recipient.signingSecrets})` },
              { value: "replace", label: "Replace" },
            ]}
            value={replacesSecrets ? "replace" : "keep"}
            onChange={(event) => setReplacesSecrets(event.currentTarget.value === "replace")}
          />
        )}
        {replacesSecrets ? (
          <Textarea
            label={recipient === null ? "Signing secrets" : "New signing secrets"}
            description={`Standard Webhooks (whsec_…), one per line, at most three. ${emptySecretsMean(ofEvents, recipient === null)} To rotate a secret, list both until the recipient uses the new one.`}
            autoComplete="off"
            spellCheck={false}
            rows={2}
            value={secrets}
            onChange={(event) => setSecrets(event.currentTarget.value)}
          />
        ) : null}
      </fieldset>
      <fieldset>
        <legend>Delivery</legend>
        {ofEvents ? (
          <EventFields rules={eventRules} onChange={setEventRules} />
        ) : (
          <NotificationFields rules={notificationRules} onChange={setNotificationRules} />
        )}
        <div className="field-pair">
          {limitField("deadlineSeconds", "Attempt timeout, seconds", `${recipientDefaults.deadlineMs / 1_000}`)}
          {limitField("lanesMax", "Orders in parallel", defaultLanesText)}
          {limitField("ratePerSecond", "Deliveries per second", "no limit")}
        </div>
      </fieldset>
    </FormDialog>
  );
}

function rulesOf(recipient: Recipient | null): Rules {
  return {
    name: recipient?.name ?? "",
    url: recipient?.url ?? "",
    deadlineSeconds: recipient === null || recipient.deadlineMs === null ? "" : recipient.deadlineMs / 1_000,
    lanesMax: recipient?.lanesMax ?? "",
    ratePerSecond: recipient?.ratePerSecond ?? "",
  };
}

function toLimits(rules: Rules) {
  return {
    name: rules.name.trim(),
    url: rules.url.trim(),
    deadlineMs: rules.deadlineSeconds === "" ? null : Math.round(Number(rules.deadlineSeconds) * 1_000),
    lanesMax: rules.lanesMax === "" ? null : Number(rules.lanesMax),
    ratePerSecond: rules.ratePerSecond === "" ? null : Number(rules.ratePerSecond),
  };
}

function emptySecretsMean(ofEvents: boolean, isNew: boolean): string {
  if (!ofEvents) return "Empty: not signed.";
  return isNew ? "Empty: one is generated and shown once." : "At least one: events are always signed.";
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== "");
}
