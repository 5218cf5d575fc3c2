import { useRead } from "../api/hooks.ts";
import "./health-page.css";
import { Button, Group, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { HealthRow, SettingRow } from "../api/responses.ts";
import { ErrorNotice, Loading, LoadingRows } from "../parts/notices.tsx";
import { Pair } from "../parts/pair.tsx";
import { When } from "../parts/when.tsx";
import { describeSubject, healthStateWords, sortByState, summariseHealth } from "../words/health-words.ts";

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
      {health.isError ? <ErrorNotice problem={health.error} onRetry={() => void health.refetch()} /> : null}
      {health.isPending ? <LoadingRows label="Examining" /> : null}
      {health.data === undefined ? null : <HealthTable items={sortByState(health.data.items)} />}
    </section>
  );
}

function HealthTable({ items }: { readonly items: readonly HealthRow[] }) {
  return (
    <div className="table-box">
      <table className="cases cards health">
        <caption>
          <VisuallyHidden>Health</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">State</th>
            <th scope="col">What was found, and what to do</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ subject, state, detail, lastAt, advice }, index) => (
            // Several findings may be about one subject.
            <tr key={`${subject} ${index}`}>
              <th scope="row">{describeSubject(subject)}</th>
              <td>
                <Badge {...healthStateWords[state]} />
              </td>
              <td className="found">
                <p>{detail}</p>
                {advice === null ? null : <p className="quiet">{advice}</p>}
              </td>
              <td {...(lastAt === null ? {} : { "data-label": "Last" })}>
                {lastAt === null ? null : <When at={lastAt} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
  if (settings.isError) return <ErrorNotice problem={settings.error} onRetry={() => void settings.refetch()} />;
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
      <div className="table-box">
        <table className="cases cards settings">
          <caption>
            <VisuallyHidden>Settings: {group}</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">What it is for</th>
            </tr>
          </thead>
          <tbody>
            {items.map((setting) => (
              <tr key={setting.name}>
                <th scope="row">
                  <code>{setting.name}</code>
                </th>
                <td data-label="Value">
                  <SettingValue setting={setting} />
                </td>
                <td className="found quiet">{setting.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
