import { useChange, useRead } from "../api/hooks.ts";
import { useMay } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import "./policy-pages.css";
import { Button, NativeSelect, Textarea } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import type { PolicyOverview } from "../api/responses.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { When } from "../components/when.tsx";
import { describeActor, describeDecision, describeQueue } from "../labels/state-words.ts";
import { AutomationPanel } from "./automation-switch.tsx";

type Source = PolicyOverview["sources"][number];

export function PoliciesPage() {
  const overview = useRead("GET /policies", {}, { refetchInterval: 30_000 });
  return (
    <>
      <div className="page-head">
        <h1>Policies</h1>
        <p className="quiet">The active version decides. A shadow version runs alongside and changes nothing.</p>
      </div>
      {overview.isError ? <ErrorCallout problem={overview.error} onRetry={() => void overview.refetch()} /> : null}
      {overview.isPending ? <Loading label="Loading" /> : null}
      <div className="policies">
        <AutomationPanel sources={overview.data?.sources.map(({ source }) => source) ?? []} />
        {overview.data?.sources.map((source) => (
          <SourcePanel key={source.source} source={source} versions={overview.data.versions} />
        ))}
        {overview.data === undefined ? null : <VersionTable versions={overview.data.versions} />}
      </div>
    </>
  );
}

interface SourceProps {
  readonly source: Source;
  readonly versions: PolicyOverview["versions"];
}

function SourcePanel({ source, versions }: SourceProps) {
  const mayChange = useMay("changePolicies");
  const { active, shadow, setByFile } = source;
  const heading = `source-${source.source}`;
  return (
    <section className="panel" aria-labelledby={heading}>
      <h2 id={heading}>Source {source.source}</h2>
      <dl className="pairs">
        <div>
          <dt>Active</dt>
          <dd>
            <VersionLink {...active} />{" "}
            <span className="quiet">
              since <When at={active.beganAt} /> by{" "}
              {setByFile === null ? describeActor(active.beganBy) : `the file ${setByFile}`}
            </span>
          </dd>
        </div>
        <div>
          <dt>Shadow</dt>
          <dd>
            {shadow === null ? (
              <span className="quiet">none</span>
            ) : (
              <>
                <VersionLink {...shadow} />{" "}
                <span className="quiet">
                  differs in {shadow.differing} of {counted(shadow.compared, "decision")}
                </span>
              </>
            )}
          </dd>
        </div>
      </dl>
      {mayChange ? <ShadowForm source={source} versions={versions} /> : null}
      {shadow === null || shadow.differing === 0 ? null : <Differences source={source.source} />}
    </section>
  );
}

/** Sends the version that was shown, so that a change by somebody else in the meantime is not overwritten. */
function ShadowForm({ source, versions }: SourceProps) {
  const [version, setVersion] = useState("");
  const [note, setNote] = useState("");
  const activate = useChange("POST /policies/activations", () => setNote(""));
  const isReady = note.trim() !== "" && (version !== "" || source.shadow !== null);
  return (
    <form
      className="activate-policy"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        activate.mutate({
          body: {
            source: source.source,
            role: "shadow",
            version: version === "" ? null : version,
            note,
            replaces: source.shadow?.version ?? null,
          },
        });
      }}
    >
      <NativeSelect
        label="Shadow version"
        data={[
          { value: "", label: "None" },
          ...versions
            .filter((each) => each.version !== source.active.version)
            .map((each) => ({ value: each.version, label: `${each.name} ${each.version.slice(0, 12)}` })),
        ]}
        value={version}
        onChange={(event) => setVersion(event.currentTarget.value)}
      />
      <Textarea
        label="Reason"
        autosize
        minRows={1}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!isReady} loading={activate.isPending}>
        {version === "" ? "End shadow" : "Start shadow"}
      </Button>
      {activate.isError ? (
        <ErrorCallout problem={activate.error} title="The policy was not changed" onClose={activate.reset} />
      ) : null}
    </form>
  );
}

function Differences({ source }: { readonly source: string }) {
  const page = useRead("GET /policies/shadow-differences", { query: { source, limit: 50 } });
  if (page.data === undefined) return null;
  return (
    <DataTable
      caption="Decisions where the shadow version differs"
      look="rules"
      items={page.data.items}
      keyOf={({ decisionId }) => decisionId}
      columns={[
        { title: "Order", cell: ({ caseId, orderId }) => <Link href={`/cases/${caseId}`}>{orderId}</Link> },
        { title: "Decided", label: null, cell: ({ decidedAt }) => <When at={decidedAt} /> },
        { title: "Active", label: null, cell: ({ active }) => describeOpinion(active) },
        { title: "Shadow", label: null, cell: ({ shadow }) => describeOpinion(shadow) },
      ]}
    />
  );
}

function describeOpinion({ action, reviewQueue, rule }: { action: string; reviewQueue: string | null; rule: string }) {
  return (
    <>
      {describeDecision(action)}
      {reviewQueue === null ? null : ` (${describeQueue(reviewQueue)})`} <code>{rule}</code>
    </>
  );
}

function VersionLink({ version, name }: { readonly version: string; readonly name: string }) {
  return (
    <>
      <Link href={`/policies/${version}`}>{name}</Link> <code>{version.slice(0, 12)}</code>
    </>
  );
}

function VersionTable({ versions }: { readonly versions: PolicyOverview["versions"] }) {
  return (
    <section className="panel" aria-labelledby="versions">
      <h2 id="versions">
        Versions <span className="quiet">open one to read, compare, edit, backtest or activate it</span>
      </h2>
      <DataTable
        look="rules"
        items={versions}
        keyOf={({ version }) => version}
        columns={[
          { title: "Version", cell: ({ version, name }) => <VersionLink version={version} name={name} /> },
          { title: "Added", cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: "By", cell: ({ createdBy }) => describeActor(createdBy) },
          { title: "Note", cell: ({ note }) => note },
        ]}
      />
    </section>
  );
}
