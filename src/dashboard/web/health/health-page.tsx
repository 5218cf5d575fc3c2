import { useRead } from "../api/hooks.ts";
import { DataTable } from "../components/data-table.tsx";
import "./health-page.css";
import { Button, Group, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { HealthRow, SettingRow } from "../api/responses.ts";
import { ErrorCallout, Loading, LoadingRows } from "../components/callouts.tsx";
import { Pair } from "../components/pair.tsx";
import { When } from "../components/when.tsx";
import { describeSubject, healthStateWords, sortByState, summariseHealth } from "./health-words.ts";

/** Each examination connects to what the settings name. */
const intervalMs = 60_000;

/** What runs, how it is, and with which settings. Nothing is changed here. */
export function HealthPage() {
  return (
    <>
      <div className="page-head">
        <h1>Health and settings</h1>
      </div>
      <Health />
      <Settings />
    </>
  );
}

function Health() {
  const health = useRead("GET /health", {}, { refetchInterval: intervalMs });
  const summary = health.data === undefined ? null : summariseHealth(health.data.items);
  return (
    <section className="installation" aria-labelledby="health">
      <div className="page-head">
        <h2 id="health">Health {summary === null ? null : <Badge {...summary} />}</h2>
        <Group gap="sm">
          {health.data === undefined ? null : (
            <span className="quiet">
              Examined <When at={health.data.at} />
            </span>
          )}
          <Button variant="default" loading={health.isFetching} onClick={() => void health.refetch()}>
            Examine again
          </Button>
        </Group>
      </div>
      {health.isError ? <ErrorCallout problem={health.error} onRetry={() => void health.refetch()} /> : null}
      {health.isPending ? <LoadingRows label="Examining" /> : null}
      {health.data === undefined ? null : <HealthTable items={sortByState(health.data.items)} />}
    </section>
  );
}

function HealthTable({ items }: { readonly items: readonly HealthRow[] }) {
  return (
    <DataTable
      caption="Health"
      look="list"
      className="health"
      items={items}
      // Several findings may be about one subject.
      keyOf={({ subject }, at) => `${subject} ${at}`}
      columns={[
        { title: "What", cell: ({ subject }) => describeSubject(subject) },
        { title: "State", label: null, cell: ({ state }) => <Badge {...healthStateWords[state]} /> },
        {
          title: "What was found, and what to do",
          label: null,
          className: "found",
          cell: ({ detail, advice }) => (
            <>
              <p>{detail}</p>
              {advice === null ? null : <p className="quiet">{advice}</p>}
            </>
          ),
        },
        {
          title: "Last",
          label: ({ lastAt }) => (lastAt === null ? null : "Last"),
          cell: ({ lastAt }) => (lastAt === null ? null : <When at={lastAt} />),
        },
      ]}
    />
  );
}

function Badge({ label, tone }: { readonly label: string; readonly tone: string }) {
  return <span className={`badge tone-${tone}`}>{label}</span>;
}

const shownSettings = [
  { value: "changed", label: "Changed" },
  { value: "all", label: "All" },
];

function Settings() {
  const [shown, setShown] = useState("changed");
  const settings = useRead("GET /settings", {});
  if (settings.isError) return <ErrorCallout problem={settings.error} onRetry={() => void settings.refetch()} />;
  if (settings.isPending) return <Loading label="Loading the settings" />;
  const { version, roles, demo, items } = settings.data;
  const listed = shown === "all" ? items : items.filter(({ isDefault }) => !isDefault);
  const groups = [...new Set(listed.map(({ group }) => group))];
  return (
    <section className="installation" aria-labelledby="settings">
      <div className="page-head">
        <h2 id="settings">Settings of this process</h2>
        <SegmentedControl
          aria-label="Which settings"
          size="xs"
          data={shownSettings}
          value={shown}
          onChange={setShown}
        />
      </div>
      <dl className="pairs panel">
        <Pair term="Version">{version}</Pair>
        <Pair term="Roles">{roles.join(", ")}</Pair>
        <Pair term="Mode">{demo ? "Demo: well-known credentials, invented orders" : "Production"}</Pair>
      </dl>
      <p className="quiet">
        They come from the environment and cannot be changed here. Secrets are never shown, only whether they are set.
        {shown === "changed" ? " Those that have their default are left out." : ""}
      </p>
      {listed.length === 0 ? <p>Every setting has its default.</p> : null}
      {groups.map((group) => (
        <SettingTable key={group} group={group} items={listed.filter((setting) => setting.group === group)} />
      ))}
    </section>
  );
}

function SettingTable({ group, items }: { readonly group: string; readonly items: readonly SettingRow[] }) {
  return (
    <>
      <h3>{group}</h3>
      <DataTable
        caption={`Settings: ${group}`}
        look="list"
        className="settings"
        items={items}
        keyOf={({ name }) => name}
        columns={[
          { title: "Setting", cell: ({ name }) => <code>{name}</code> },
          { title: "Value", cell: (setting) => <SettingValue setting={setting} /> },
          {
            title: "What it is for",
            label: null,
            className: "found quiet",
            cell: ({ description }) => description,
          },
        ]}
      />
    </>
  );
}

function SettingValue({ setting: { isSet, isSecret, isDefault, value } }: { readonly setting: SettingRow }) {
  if (!isSet) return <span className="quiet">Not set</span>;
  if (isSecret || value === null) return <span>Set</span>;
  return (
    <span>
      <code>{value}</code>
      {isDefault ? <span className="quiet"> default</span> : null}
    </span>
  );
}
