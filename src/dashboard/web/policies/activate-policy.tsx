import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useChange, useRead } from "../api/hooks.ts";
import type { PolicyOverview, PolicyVersion } from "../api/responses.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { NoteField } from "../components/note-field.tsx";
import { When } from "../components/when.tsx";
import { BacktestSummary, useLastBacktest } from "./policy-backtest.tsx";
import { PolicyDifference } from "./policy-difference.tsx";

type Source = PolicyOverview["sources"][number];

/** Offers the sources whose active version is another one. Its dialog is open when the editor has just saved the version. */
export function ActivatePolicy({
  policy,
  sources,
}: {
  readonly policy: PolicyVersion;
  readonly sources: readonly Source[];
}) {
  const [params, setParams] = useSearchParams();
  const isJustSaved = params.has("activate");
  const [isOpen, setIsOpen] = useState(isJustSaved);
  const close = (): void => {
    setIsOpen(false);
    setParams((current) => [...current].filter(([name]) => name !== "activate"), { replace: true });
  };
  const possible = sources.filter(({ active, setByFile }) => setByFile === null && active.version !== policy.version);
  const file = sources.find(({ setByFile }) => setByFile !== null)?.setByFile ?? null;
  if (possible.length === 0) {
    return file === null ? null : <p className="quiet">The file {file} sets the active version.</p>;
  }
  const wasActive = policy.terms.some(({ role, endedAt }) => role === "active" && endedAt !== null);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{wasActive ? "Roll back to this version" : "Activate"}</Button>
      {isOpen ? (
        <ActivateDialog
          policy={policy}
          sources={possible}
          // Why a version was written is most often why it is activated.
          reason={isJustSaved ? (policy.note ?? "") : ""}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface DialogProps {
  readonly policy: PolicyVersion;
  readonly sources: readonly Source[];
  /** To begin with. */
  readonly reason: string;
  readonly onClose: () => void;
}

/** Sends the version that was shown, so that an activation by somebody else in the meantime is not overwritten. */
function ActivateDialog({ policy, sources, reason, onClose }: DialogProps) {
  const [name, setName] = useState(sources[0]!.source);
  const [note, setNote] = useState(reason);
  const { source, active } = sources.find((each) => each.source === name) ?? sources[0]!;
  const before = useRead("GET /policies/versions/{version}", { params: { version: active.version } });
  const backtest = useLastBacktest(source, policy.version);
  const activate = useChange("POST /policies/activations", onClose);
  return (
    <FormDialog
      title={`Activate ${policy.name} for source ${source}`}
      size="lg"
      change={activate}
      failed="The policy was not changed"
      submit="Activate"
      isDisabled={note.trim() === "" || before.data === undefined}
      onSubmit={() =>
        activate.mutate({
          body: { source, role: "active", version: policy.version, note, replaces: active.version },
        })
      }
      onClose={onClose}
    >
      {sources.length < 2 ? null : (
        <NativeSelect
          label="Source"
          data={sources.map((each) => each.source)}
          value={source}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <p>
        Replaces <strong>{active.name}</strong> <code>{active.version.slice(0, 12)}</code>, active since{" "}
        <When at={active.beganAt} />. The next decisions follow this version; cases that are decided stay as they are.
      </p>
      <div>
        {before.isError ? <ErrorCallout problem={before.error} onRetry={() => void before.refetch()} /> : null}
        {before.isPending ? <Loading label="Loading" /> : null}
        {before.data === undefined ? null : <PolicyDifference before={before.data} after={policy} />}
      </div>
      <div>
        {backtest !== null && backtest.active.version === active.version ? (
          <BacktestSummary backtest={backtest} />
        ) : (
          <p className="warning">
            Not backtested against the active version. Close this and run a backtest to see which decisions change.
          </p>
        )}
      </div>
      <NoteField
        label="Reason"
        description="Stored with the activation, for the history and the audit."
        required
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}
