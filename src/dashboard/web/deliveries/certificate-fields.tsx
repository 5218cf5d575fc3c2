import { NativeSelect, Textarea } from "@mantine/core";
import type { Certificate } from "./delivery-api.ts";

/** `keep` leaves the stored certificate as it is. */
export interface CertificateInput {
  readonly kind: "keep" | "none" | "given";
  readonly certificate: string;
  readonly privateKey: string;
  readonly authorities: string;
}

interface CertificateFieldsProps {
  readonly input: CertificateInput;
  readonly isNew: boolean;
  readonly onChange: (input: CertificateInput) => void;
}

/** The client certificate that we present to the recipient. No field is filled from the server. */
export function CertificateFields({ input, isNew, onChange }: CertificateFieldsProps) {
  const pemField = (label: string, name: "certificate" | "privateKey" | "authorities", description: string) => (
    <Textarea
      label={label}
      description={description}
      required={name !== "authorities"}
      rows={3}
      autoComplete="off"
      spellCheck={false}
      value={input[name]}
      onChange={(event) => onChange({ ...input, [name]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset>
      <legend>Client certificate</legend>
      <NativeSelect
        label="Mutual TLS"
        data={[
          ...(isNew ? [] : [{ value: "keep", label: "Keep current certificate" }]),
          { value: "none", label: "No certificate" },
          { value: "given", label: "Use a certificate" },
        ]}
        value={input.kind}
        onChange={(event) => onChange({ ...input, kind: event.currentTarget.value as CertificateInput["kind"] })}
      />
      {input.kind === "given" ? (
        <>
          {pemField("Certificate", "certificate", "PEM, with intermediate certificates")}
          {pemField("Private key", "privateKey", "PEM, unencrypted")}
          {pemField("Certificate authorities", "authorities", "PEM. Empty: public authorities.")}
        </>
      ) : null}
    </fieldset>
  );
}

/** Undefined if the stored certificate stays, null if it is removed. */
export function readCertificate({ kind, certificate, privateKey, authorities }: CertificateInput) {
  if (kind === "keep") return undefined;
  if (kind === "none") return null;
  const given: Certificate = { certificate, privateKey, ...(authorities.trim() === "" ? {} : { authorities }) };
  return given;
}
