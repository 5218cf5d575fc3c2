import { NativeSelect, PasswordInput, Textarea, TextInput } from "@mantine/core";
import type { Authorization } from "./delivery-api.ts";
import { authorizationWords } from "./delivery-words.ts";

export const noAuthorization = {
  /** `keep` leaves the stored credential as it is. */
  kind: "basic" as "keep" | Authorization["type"],
  username: "",
  password: "",
  token: "",
  tokenUrl: "",
  clientId: "",
  clientAuthentication: "basic" as "basic" | "post" | "private-key-jwt",
  clientSecret: "",
  privateKey: "",
  keyId: "",
  scope: "",
  audience: "",
};

export type AuthorizationInput = Readonly<typeof noAuthorization>;

interface AuthorizationFieldsProps {
  readonly input: AuthorizationInput;
  /** The type that is stored; null for a new recipient. */
  readonly stored: keyof typeof authorizationWords | null;
  /** Whether it may do without, because what it gets is signed. */
  readonly offersNone: boolean;
  readonly onChange: (input: AuthorizationInput) => void;
}

/** No field is filled from the server, which never returns credentials. */
export function AuthorizationFields({ input, stored, offersNone, onChange }: AuthorizationFieldsProps) {
  const set = (changed: Partial<AuthorizationInput>): void => onChange({ ...input, ...changed });
  const secretField = (label: string, name: "password" | "token" | "clientSecret") => (
    <PasswordInput
      label={label}
      required
      autoComplete="new-password"
      value={input[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      visibilityToggleButtonProps={{ "aria-label": `Show ${label.toLowerCase()}`, tabIndex: 0 }}
    />
  );
  const textField = (
    label: string,
    name: "username" | "clientId" | "keyId" | "scope" | "audience",
    required = false,
  ) => (
    <TextInput
      label={label}
      required={required}
      autoComplete="off"
      spellCheck={false}
      value={input[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset>
      <legend>Authorization</legend>
      <NativeSelect
        label="Authentication method"
        data={[
          ...(stored === null ? [] : [{ value: "keep", label: `Keep current (${authorizationWords[stored]})` }]),
          ...(offersNone ? [{ value: "none", label: "None: the signature is enough" }] : []),
          { value: "basic", label: "Basic: user name and password" },
          { value: "bearer", label: "Bearer token" },
          { value: "oauth", label: "OAuth client credentials" },
        ]}
        value={input.kind}
        onChange={(event) => set({ kind: event.currentTarget.value as AuthorizationInput["kind"] })}
      />
      {input.kind === "basic" ? (
        <div className="field-pair">
          {textField("User name", "username", true)}
          {secretField("Password", "password")}
        </div>
      ) : null}
      {input.kind === "bearer" ? secretField("Token", "token") : null}
      {input.kind === "oauth" ? (
        <>
          <TextInput
            label="Token URL"
            type="url"
            required
            spellCheck={false}
            value={input.tokenUrl}
            onChange={(event) => set({ tokenUrl: event.currentTarget.value })}
          />
          <div className="field-pair">
            {textField("Client ID", "clientId", true)}
            <NativeSelect
              label="Client authentication"
              data={[
                { value: "basic", label: "Secret in the header" },
                { value: "post", label: "Secret in the body" },
                { value: "private-key-jwt", label: "Private key (JWT)" },
              ]}
              value={input.clientAuthentication}
              onChange={(event) =>
                set({ clientAuthentication: event.currentTarget.value as AuthorizationInput["clientAuthentication"] })
              }
            />
          </div>
          {input.clientAuthentication === "private-key-jwt" ? (
            <>
              <Textarea
                label="Private key"
                description="PEM, PKCS #8, unencrypted: RSA, EC P-256 or P-384, Ed25519"
                required
                rows={4}
                autoComplete="off"
                spellCheck={false}
                value={input.privateKey}
                onChange={(event) => set({ privateKey: event.currentTarget.value })}
              />
              {textField("Key ID", "keyId")}
            </>
          ) : (
            secretField("Client secret", "clientSecret")
          )}
          <div className="field-pair">
            {textField("Scope", "scope")}
            {textField("Audience", "audience")}
          </div>
        </>
      ) : null}
    </fieldset>
  );
}

/** Returns null if the stored credential stays. */
export function readAuthorization(input: AuthorizationInput): Authorization | null {
  switch (input.kind) {
    case "keep":
      return null;
    case "none":
      return { type: "none" };
    case "basic":
      return { type: "basic", username: input.username, password: input.password };
    case "bearer":
      return { type: "bearer", token: input.token.trim() };
    case "oauth": {
      const { tokenUrl, clientId, clientAuthentication, clientSecret, privateKey, keyId, scope, audience } = input;
      return {
        type: "oauth",
        tokenUrl: tokenUrl.trim(),
        clientId,
        clientAuthentication,
        ...(clientAuthentication === "private-key-jwt" ? { privateKey } : { clientSecret }),
        ...(clientAuthentication === "private-key-jwt" && keyId !== "" ? { keyId } : {}),
        ...(scope === "" ? {} : { scope }),
        ...(audience === "" ? {} : { audience }),
      };
    }
  }
}
