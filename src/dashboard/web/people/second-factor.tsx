import { Button, Group, PasswordInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { renderSVG } from "uqr";
import { useChange } from "../api/hooks.ts";
import { useSessionReload } from "../api/session.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { CopyButton } from "../components/copyable.tsx";
import { CodeField } from "./code-field.tsx";

/** Adds a second factor, or makes new recovery codes and removes it. */
export function SecondFactor({ hasSecondFactor }: { readonly hasSecondFactor: boolean }) {
  const reloadSession = useSessionReload();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const done = async (codes: readonly string[] | null): Promise<void> => {
    setRecoveryCodes(codes);
    // The codes are seen before the page goes on.
    if (codes === null) await reloadSession();
  };
  if (recoveryCodes !== null) {
    return (
      <RecoveryCodes
        codes={recoveryCodes}
        onDone={() => {
          setRecoveryCodes(null);
          void reloadSession();
        }}
      />
    );
  }
  return hasSecondFactor ? <ChangeFactor onDone={done} /> : <AddFactor onProven={done} />;
}

function AddFactor({ onProven }: { readonly onProven: (codes: readonly string[]) => Promise<void> }) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useChange("POST /session/second-factor");
  const prove = useChange("POST /session/second-factor/proof", ({ recoveryCodes }) => onProven(recoveryCodes));
  if (begin.data === undefined) {
    return (
      <Form onSubmit={() => begin.mutate({ body: { currentPassword } })}>
        <p className="quiet">Sign in with your password and a code of an authenticator app on your phone.</p>
        <CurrentPassword value={currentPassword} onType={setCurrentPassword} isRequired />
        {begin.isError ? <ErrorCallout problem={begin.error} title="Nothing was changed" /> : null}
        <Button type="submit" disabled={currentPassword === ""} loading={begin.isPending}>
          Add a second factor
        </Button>
      </Form>
    );
  }
  const { secret, uri } = begin.data;
  return (
    <Form onSubmit={() => prove.mutate({ body: { code } })}>
      <p>Scan this with the app, then type the code that it shows.</p>
      <QrCode text={uri} />
      <p className="quiet">
        Or type the key: <code>{secret}</code> <CopyButton value={secret} what="key" />
      </p>
      <CodeField value={code} onType={setCode} hint="The six digits that the app shows." isNext />
      {prove.isError ? <ErrorCallout problem={prove.error} title="The second factor was not added" /> : null}
      <Button type="submit" disabled={code === ""} loading={prove.isPending}>
        Confirm
      </Button>
    </Form>
  );
}

function ChangeFactor({ onDone }: { readonly onDone: (codes: readonly string[] | null) => Promise<void> }) {
  const [code, setCode] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const renew = useChange("POST /session/recovery-codes", ({ recoveryCodes }) => onDone(recoveryCodes));
  const remove = useChange("DELETE /session/second-factor", () => onDone(null));
  const onSettled = (): void => setCode("");
  const problem = renew.error ?? remove.error;
  return (
    <Form
      onSubmit={() => {
        remove.reset();
        renew.mutate({ body: { code } }, { onSettled });
      }}
    >
      <p>Signing in takes a code of your authenticator app.</p>
      <CodeField value={code} onType={setCode} />
      <CurrentPassword value={currentPassword} onType={setCurrentPassword} hint="Only to remove the second factor." />
      {problem === null ? null : <ErrorCallout problem={problem} title="Nothing was changed" />}
      <Group gap="xs">
        <Button type="submit" variant="default" disabled={code === ""} loading={renew.isPending}>
          Make new recovery codes
        </Button>
        <Button
          variant="default"
          disabled={code === "" || currentPassword === ""}
          loading={remove.isPending}
          onClick={() => {
            renew.reset();
            remove.mutate({ body: { currentPassword, code } }, { onSettled });
          }}
        >
          Remove the second factor
        </Button>
      </Group>
    </Form>
  );
}

interface CurrentPasswordProps {
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

function CurrentPassword({ value, onType, hint, isRequired = false }: CurrentPasswordProps) {
  return (
    <PasswordInput
      label="Current password"
      description={hint}
      autoComplete="current-password"
      required={isRequired}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": "Show current password", tabIndex: 0 }}
    />
  );
}

function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const text = codes.join("\n");
  return (
    <div className="password-form">
      <Callout tone="good" title="Keep these recovery codes">
        <p>Each can be used once in place of the app, if you lose it. Only these work, and they are not shown again.</p>
        <pre>{text}</pre>
        <CopyButton value={text} what="recovery codes" />
      </Callout>
      <Button onClick={onDone}>I have stored them</Button>
    </div>
  );
}

function Form({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="password-form" onSubmit={submit}>
      {children}
    </form>
  );
}

/** As an image, so that nothing of the text can be markup. */
function QrCode({ text }: { readonly text: string }) {
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(text, { border: 2 }))}`;
  return <img className="qr-code" src={image} width={200} height={200} alt="QR code with the key for the app" />;
}
