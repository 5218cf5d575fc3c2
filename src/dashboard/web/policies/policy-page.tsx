import { useRead } from "../api/hooks.ts";
import { useMay } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import "./policy-pages.css";
import { Button, NativeSelect, SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { PolicyOverview, PolicyVersion } from "../api/responses.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { ActivatePolicy } from "./activate-policy.tsx";
import { BacktestPanel } from "./policy-backtest.tsx";
import { PolicyDifference } from "./policy-difference.tsx";
import { PolicyRules } from "./policy-rules.tsx";

const YamlEditor = lazy(async () => ({ default: (await import("./yaml-editor.tsx")).YamlEditor }));

/** One version: its rules, what it would change, and when it decided. */
export function PolicyPage({ version }: { readonly version: string }) {
  const policy = useRead("GET /policies/versions/{version}", { params: { version } });
  const overview = useRead("GET /policies", {});
  const mayChange = useMay("changePolicies");
  const problem = policy.error ?? overview.error;
  if (problem !== null) {
    const retry = () => Promise.all([policy.refetch(), overview.refetch()]);
    return <ErrorCallout problem={problem} onRetry={() => void retry()} />;
  }
  if (policy.data === undefined || overview.data === undefined) return <Loading label="Loading" />;
  const { name } = policy.data;
  const { sources, versions } = overview.data;
  const roles = sources.flatMap(({ source, active, shadow }) => [
    ...(active.version === version ? [{ source, words: `Active for ${source}`, tone: "good" }] : []),
    ...(shadow?.version === version ? [{ source, words: `Shadow for ${source}`, tone: "plain" }] : []),
  ]);
  return (
    <>
      <title>{`${name} · Policies · Skedchange`}</title>
      <p>
        <Link href="/policies">Policies</Link>
      </p>
      <div className="page-head">
        <h1>
          {name} <code className="quiet">{version.slice(0, 12)}</code>
        </h1>
        <span>
          {roles.map(({ words, tone }) => (
            <span key={words} className={`badge tone-${tone}`}>
              {words}
            </span>
          ))}
        </span>
        {mayChange ? (
          <div className="policy-actions">
            <Button component={Link} href={`/policies/${version}/edit`} variant="default">
              Edit as a new version
            </Button>
            <ActivatePolicy policy={policy.data} sources={sources} />
          </div>
        ) : null}
      </div>
      <div className="policies">
        <About policy={policy.data} />
        <Contents policy={policy.data} />
        <Compare policy={policy.data} versions={versions} />
        {mayChange ? (
          <BacktestPanel sources={sources.map(({ source }) => source)} candidate={{ version }} version={version} />
        ) : null}
        <History policy={policy.data} />
      </div>
    </>
  );
}

function About({ policy }: { readonly policy: PolicyVersion }) {
  const { content, note, createdAt, createdBy } = policy;
  const laws = content?.laws.filter(({ isOn }) => isOn) ?? [];
  return (
    <section className="panel" aria-labelledby="about">
      <h2 id="about">About</h2>
      {content?.description == null ? null : <p>{content.description}</p>}
      <dl className="pairs">
        <div>
          <dt>Added</dt>
          <dd>
            <When at={createdAt} /> by {describeActor(createdBy)}
          </dd>
        </div>
        {note === null || note === content?.description ? null : (
          <div>
            <dt>Note</dt>
            <dd>{note}</dd>
          </div>
        )}
        {content === null ? null : (
          <>
            <div>
              <dt>Mode</dt>
              <dd>
                {content.mode === "act"
                  ? "Acts: accepts and cancels what its rules allow"
                  : "Observes: recommends, and leaves every case to an agent"}
              </dd>
            </div>
            <div>
              <dt>Laws</dt>
              <dd>{laws.length === 0 ? "none" : laws.map(({ title }) => title).join("; ")}</dd>
            </div>
          </>
        )}
      </dl>
    </section>
  );
}

function Contents({ policy: { content, text, name } }: { readonly policy: PolicyVersion }) {
  const [shown, setShown] = useState(content === null ? "yaml" : "rules");
  return (
    <section className="panel" aria-labelledby="rules">
      <h2 id="rules">
        Rules {content === null ? null : <span className="quiet">{content.rules.length}, the first match decides</span>}
      </h2>
      {content === null ? (
        <p className="warning">This program no longer understands this version, so only its text is shown.</p>
      ) : (
        <div>
          <SegmentedControl
            aria-label="Show the rules as"
            size="xs"
            data={[
              { value: "rules", label: "Rules" },
              { value: "yaml", label: "YAML" },
            ]}
            value={shown}
            onChange={setShown}
          />
        </div>
      )}
      {shown === "rules" && content !== null ? (
        <PolicyRules rules={content.rules} />
      ) : (
        <Suspense fallback={<Loading label="Loading" />}>
          <YamlEditor label={`${name} as YAML`} text={text} onChange={null} />
        </Suspense>
      )}
    </section>
  );
}

/** The other version is part of the address, to send it to somebody. */
function Compare({
  policy,
  versions,
}: {
  readonly policy: PolicyVersion;
  readonly versions: PolicyOverview["versions"];
}) {
  const [search, setSearch] = useSearchParams();
  const other = search.get("compare") ?? "";
  const before = useRead("GET /policies/versions/{version}", { params: { version: other } }, { enabled: other !== "" });
  const others = versions.filter(({ version }) => version !== policy.version);
  return (
    <section className="panel" aria-labelledby="compare">
      <h2 id="compare">Compare</h2>
      <NativeSelect
        className="compare-with"
        label="What changes from this version to the one above"
        data={[
          { value: "", label: "Select a version" },
          ...others.map(({ version, name }) => ({ value: version, label: `${name} ${version.slice(0, 12)}` })),
        ]}
        value={other}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setSearch(value === "" ? {} : { compare: value }, { replace: true });
        }}
      />
      {before.isError ? <ErrorCallout problem={before.error} onRetry={() => void before.refetch()} /> : null}
      {before.isLoading ? <Loading label="Loading" /> : null}
      {before.data === undefined ? null : <PolicyDifference before={before.data} after={policy} />}
    </section>
  );
}

function History({ policy: { terms } }: { readonly policy: PolicyVersion }) {
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">History</h2>
      {terms.length === 0 ? (
        <p className="quiet">Never active, and never a shadow.</p>
      ) : (
        <DataTable
          look="rules"
          items={terms}
          keyOf={({ source, role, beganAt }) => `${source} ${role} ${beganAt}`}
          columns={[
            { title: "Source", cell: ({ source }) => source },
            { title: "Role", cell: ({ role }) => (role === "active" ? "Active" : "Shadow") },
            {
              title: "From",
              cell: ({ beganAt, beganBy }) => (
                <>
                  <When at={beganAt} /> by {describeActor(beganBy)}
                </>
              ),
            },
            {
              title: "To",
              cell: ({ endedAt, endedBy }) =>
                endedAt === null ? (
                  "now"
                ) : (
                  <>
                    <When at={endedAt} /> by {describeActor(endedBy ?? "")}
                  </>
                ),
            },
            { title: "Reason", cell: ({ note }) => note },
          ]}
        />
      )}
    </section>
  );
}
