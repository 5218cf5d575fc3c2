import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../parts/form-dialog.tsx";
import {
  AuthorizationFields,
  type AuthorizationInput,
  noAuthorization,
  readAuthorization,
} from "./authorization-fields.tsx";
import { CertificateFields, type CertificateInput, readCertificate } from "./certificate-fields.tsx";
import { gatewayApi, type Recipient, type RecipientInput } from "./gateway-api.ts";

interface RecipientFormProps {
  /** Null for a new one. */
  readonly recipient: Recipient | null;
  readonly onClose: () => void;
  readonly onDone: (recipient: Recipient) => void;
}

interface Rules {
  readonly name: string;
  readonly url: string;
  readonly airlines: string;
  readonly ordering: string;
  readonly acknowledgement: string;
  readonly deadlineSeconds: number | string;
  readonly lanesMax: number | string;
  readonly ratePerSecond: number | string;
  readonly agencyId: string;
}

/** Adds a recipient or changes one. Stored credentials stay unless new ones are entered. */
export function RecipientForm({ recipient, onClose, onDone }: RecipientFormProps) {
  const queryClient = useQueryClient();
  const [rules, setRules] = useState<Rules>(() => rulesOf(recipient));
  const [authorization, setAuthorization] = useState<AuthorizationInput>({
    ...noAuthorization,
    kind: recipient === null ? "basic" : "keep",
  });
  const [certificate, setCertificate] = useState<CertificateInput>({
    kind: recipient === null ? "none" : "keep",
    certificate: "",
    privateKey: "",
    authorities: "",
  });
  const [secrets, setSecrets] = useState("");
  const [replacesSecrets, setReplacesSecrets] = useState(recipient === null);
  const save = useMutation({
    mutationFn: (input: RecipientInput) =>
      recipient === null ? gatewayApi.addRecipient(input) : gatewayApi.changeRecipient(recipient.id, input),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: ["recipients"] });
      onDone(saved);
      onClose();
    },
    // The input holds credentials, so it is not cached.
    gcTime: 0,
  });
  const set = (changed: Partial<Rules>): void => setRules({ ...rules, ...changed });
  const submit = (): void => {
    const credential = readAuthorization(authorization);
    const clientCertificate = readCertificate(certificate);
    save.mutate({
      ...toRecipientInput(rules),
      ...(credential === null ? {} : { authorization: credential }),
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      ...(replacesSecrets ? { signingSecrets: [...linesOf(secrets)] } : {}),
    });
  };
  return (
    <FormDialog
      title={recipient === null ? "Add a recipient" : `Edit ${recipient.name}`}
      size="lg"
      problem={save.error}
      problemTitle="The recipient was not saved"
      cancelLabel="Cancel"
      submit={{ label: recipient === null ? "Add" : "Save", isPending: save.isPending }}
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
        description="Notifications are posted here. It must be public and use https, unless the operator allows others."
        value={rules.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <AuthorizationFields
        input={authorization}
        stored={recipient?.authorization.type ?? null}
        onChange={setAuthorization}
      />
      <CertificateFields input={certificate} isNew={recipient === null} onChange={setCertificate} />
      <fieldset>
        <legend>Signature</legend>
        {recipient === null ? null : (
          <NativeSelect
            label="Signing secrets"
            data={[
              {
                value: "keep",
                label: `Keep current (${recipient.signingSecrets})`,
              },
              { value: "replace", label: "Replace" },
            ]}
            value={replacesSecrets ? "replace" : "keep"}
            onChange={(event) => setReplacesSecrets(event.currentTarget.value === "replace")}
          />
        )}
        {replacesSecrets ? (
          <Textarea
            label={recipient === null ? "Signing secrets" : "New signing secrets"}
            description="Standard Webhooks (whsec_…), one per line, at most three. Empty: not signed. To rotate a secret, list both until the recipient uses the new one."
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
        <div className="pair">
          <NumberInput
            label="Attempt timeout, seconds"
            description="1 to 60. Empty: 15."
            min={1}
            max={60}
            value={rules.deadlineSeconds}
            onChange={(deadlineSeconds) => set({ deadlineSeconds })}
          />
          <NumberInput
            label="Orders in parallel"
            description="1 to 64. Empty: 4."
            min={1}
            max={64}
            allowDecimal={false}
            value={rules.lanesMax}
            onChange={(lanesMax) => set({ lanesMax })}
          />
        </div>
        <div className="pair">
          <NumberInput
            label="Deliveries per second"
            description="1 to 1,000. Empty: no limit."
            min={1}
            max={1_000}
            allowDecimal={false}
            value={rules.ratePerSecond}
            onChange={(ratePerSecond) => set({ ratePerSecond })}
          />
          <TextInput
            label="Agency"
            description="The agency that it belongs to. Optional."
            maxLength={100}
            value={rules.agencyId}
            onChange={(event) => set({ agencyId: event.currentTarget.value })}
          />
        </div>
      </fieldset>
    </FormDialog>
  );
}

function rulesOf(recipient: Recipient | null): Rules {
  return {
    name: recipient?.name ?? "",
    url: recipient?.url ?? "",
    airlines: recipient?.airlines?.join(" ") ?? "",
    ordering: recipient?.ordering ?? "latest",
    acknowledgement: recipient?.acknowledgement ?? "required",
    deadlineSeconds: recipient === null || recipient.deadlineMs === null ? "" : recipient.deadlineMs / 1_000,
    lanesMax: recipient?.lanesMax ?? "",
    ratePerSecond: recipient?.ratePerSecond ?? "",
    agencyId: recipient?.agencyId ?? "",
  };
}

function toRecipientInput(rules: Rules): RecipientInput {
  const airlines = rules.airlines.split(/[\s,]+/).filter((code) => code !== "");
  return {
    name: rules.name.trim(),
    url: rules.url.trim(),
    airlines: airlines.length === 0 ? null : airlines,
    ordering: rules.ordering === "every" ? "every" : "latest",
    acknowledgement: rules.acknowledgement === "any-success" ? "any-success" : "required",
    deadlineMs: rules.deadlineSeconds === "" ? null : Math.round(Number(rules.deadlineSeconds) * 1_000),
    lanesMax: rules.lanesMax === "" ? null : Number(rules.lanesMax),
    ratePerSecond: rules.ratePerSecond === "" ? null : Number(rules.ratePerSecond),
    agencyId: rules.agencyId.trim() === "" ? null : rules.agencyId.trim(),
  };
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
