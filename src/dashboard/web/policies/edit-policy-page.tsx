import { keepPreviousData } from "@tanstack/react-query";
import { call } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import { useRead } from "../api/hooks.ts";
import { useSession } from "../api/session.ts";
import "./policy-pages.css";
import { Button, Group } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { lazy, type RefObject, Suspense, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import type { PolicyCheck, PolicyVersion } from "../api/responses.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { NoteField } from "../components/note-field.tsx";
import { BacktestPanel } from "./policy-backtest.tsx";
import { usePolicyDraft } from "./use-policy-draft.ts";
import type { YamlEditorHandle } from "./yaml-editor.tsx";

const YamlEditor = lazy(async () => ({ default: (await import("./yaml-editor.tsx")).YamlEditor }));

/** Edits a copy of a version, which is stored as a new one: versions never change. */
export function EditPolicyPage({ version }: { readonly version: string }) {
  const { user } = useSession();
  const policy = useRead("GET /policies/versions/{version}", { params: { version } });
  if (policy.isError) return <ErrorCallout problem={policy.error} onRetry={() => void policy.refetch()} />;
  if (policy.isPending) return <Loading label="Loading" />;
  return <EditPolicy policy={policy.data} draftKey={`skedchange.policy-draft.${user.username}.${version}`} />;
}

/** Long enough not to check each letter. */
const typingPauseMs = 400;

function EditPolicy({ policy, draftKey }: { readonly policy: PolicyVersion; readonly draftKey: string }) {
  const draft = usePolicyDraft(policy, draftKey);
  const { text } = draft;
  const [settled] = useDebouncedValue(text, typingPauseMs);
  const editor = useRef<YamlEditorHandle>(null);
  const overview = useRead("GET /policies", {});
  const check = useRead(
    "POST /policies/check",
    { body: { text: settled } },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
  );
  const isChecked = text === settled && check.isSuccess && !check.isPlaceholderData;
  const checked = isChecked ? check.data.policy : null;
  return (
    <>
      <title>{`Edit ${policy.name} · Policies · Skedchange`}</title>
      <p>
        <Link href="/policies">Policies</Link> / <Link href={`/policies/${policy.version}`}>{policy.name}</Link>
      </p>
      <div className="page-head">
        <h1>Edit {policy.name}</h1>
        <p className="quiet">Stored as a new version. Nothing is decided by it until it is activated.</p>
      </div>
      <div className="policies">
        {draft.isRestored ? (
          <Callout tone="plain" title="Your unsaved draft is shown" onClose={draft.closeNotice}>
            It was kept in this browser.{" "}
            <Button size="compact-xs" variant="default" onClick={draft.discard}>
              Discard the draft
            </Button>
          </Callout>
        ) : null}
        <section className="panel" aria-labelledby="text">
          <h2 id="text">Policy</h2>
          <Suspense fallback={<Loading label="Loading" />}>
            <YamlEditor
              key={draft.edition}
              label="Policy as YAML"
              text={text}
              {...(check.data === undefined ? {} : { findings: check.data.findings })}
              onChange={draft.change}
              handle={editor}
            />
          </Suspense>
          {check.isError ? (
            <ErrorCallout problem={check.error} title="The check failed" onRetry={() => void check.refetch()} />
          ) : null}
          <Findings check={check.data ?? null} isChecked={isChecked} editor={editor} />
        </section>
        <BacktestPanel
          sources={overview.data?.sources.map(({ source }) => source) ?? []}
          candidate={{ text }}
          version={checked?.version ?? null}
        />
        <SaveVersion
          text={text}
          version={checked?.version ?? null}
          isSame={checked?.version === policy.version}
          onSaved={draft.forget}
        />
      </div>
    </>
  );
}

interface FindingsProps {
  readonly check: PolicyCheck | null;
  readonly isChecked: boolean;
  readonly editor: RefObject<YamlEditorHandle | null>;
}

function Findings({ check, isChecked, editor }: FindingsProps) {
  const findings = check?.findings ?? [];
  return (
    <div className="findings">
      <p role="status" className={isChecked && check?.policy === null ? "bad" : "quiet"}>
        {isChecked && check !== null ? describeCheck(check) : "Checking …"}
      </p>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.line} ${finding.column} ${finding.message}`}>
            <button type="button" className="finding" onClick={() => editor.current?.show(finding)}>
              Line {finding.line}
            </button>{" "}
            {finding.severity === "warning" ? <span className="badge tone-warn">Warning</span> : null}{" "}
            {finding.rule === null ? null : <code>{finding.rule}: </code>}
            {finding.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeCheck({ policy, findings }: PolicyCheck): string {
  if (policy !== null) return `No mistakes. ${policy.name} has ${counted(policy.ruleCount, "rule")}.`;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return counted(errors, "mistake");
}

interface SaveProps {
  readonly text: string;
  readonly version: string | null;
  readonly isSame: boolean;
  readonly onSaved: () => void;
}

function SaveVersion({ text, version, isSame, onSaved }: SaveProps) {
  const [note, setNote] = useState("");
  const [, navigate] = useLocation();
  const save = useChanging(
    () => call("POST /policies", { body: { text, note } }),
    (added, { andActivate }: { readonly andActivate: boolean }) => {
      onSaved();
      navigate(`/policies/${added.version}${andActivate ? "?activate" : ""}`);
    },
  );
  const isReady = version !== null && !isSame && note.trim() !== "";
  return (
    <section className="panel" aria-labelledby="save">
      <h2 id="save">Save as a new version</h2>
      {isSame ? <p className="quiet">Same as the version you started from.</p> : null}
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) save.mutate({ andActivate: false });
        }}
      >
        <NoteField description="What is different, and why." value={note} onChange={setNote} />
        <Group gap="xs">
          <Button type="submit" disabled={!isReady} loading={save.isPending}>
            Save version
          </Button>
          <Button
            variant="default"
            disabled={!isReady || save.isPending}
            onClick={() => save.mutate({ andActivate: true })}
          >
            Save and activate …
          </Button>
        </Group>
        {save.isError ? <ErrorCallout problem={save.error} title="The version was not saved" /> : null}
      </form>
    </section>
  );
}
