import { SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { KeysButton } from "../commands/command-button.tsx";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { useNow } from "../components/when.tsx";
import { refreshMs, useAllRecipients } from "../deliveries/all-recipients.ts";
import { ToneBadge } from "../deliveries/badge.tsx";
import type { Recipient, RecipientTraffic } from "../deliveries/delivery-api.ts";
import { useListKeys } from "../deliveries/list-keys.ts";
import { describeHealth } from "../deliveries/recipient-health.ts";
import { HealthText } from "../deliveries/recipient-health-text.tsx";
import { formatDuration } from "../labels/moments.ts";
import type { Words } from "../labels/state-words.ts";
import { lazyPage } from "../shell/lazy-page.tsx";
import { callGateway } from "./gateway-api.ts";
import { describeShare, sumTraffic } from "./traffic-words.ts";

const AttemptCharts = lazyPage(async () => (await import("./attempt-charts.tsx")).AttemptCharts);

const spans = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
];

/** Recipients with problems come first. */
export function HealthPage() {
  useListKeys();
  const [hours, setHours] = useState("24");
  const traffic = useQuery({
    queryKey: ["traffic", hours],
    queryFn: () =>
      callGateway("GET /traffic", {
        query: { since: new Date(Date.now() - Number(hours) * 3_600_000).toISOString() },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const recipients = useAllRecipients();
  return (
    <>
      <title>Health · Skedchange gateway</title>
      <div className="page-head">
        <h1>Health</h1>
        <KeysButton />
        <SegmentedControl
          aria-label="Deliveries ended within"
          size="xs"
          data={spans}
          value={hours}
          onChange={setHours}
        />
      </div>
      {[traffic, recipients].map(({ error, refetch }, index) =>
        error === null ? null : <ErrorCallout key={index} problem={error} onRetry={() => void refetch()} />,
      )}
      {traffic.isPending || recipients.isPending ? <Loading label="Loading" /> : null}
      {traffic.data === undefined || recipients.data === undefined ? null : (
        <HealthOverview traffic={traffic.data.items} recipients={recipients.data} hours={Number(hours)} />
      )}
    </>
  );
}

interface HealthRow {
  readonly entry: RecipientTraffic;
  readonly recipient: Recipient;
  readonly health: Words;
}

interface HealthOverviewProps {
  readonly traffic: readonly RecipientTraffic[];
  readonly recipients: readonly Recipient[];
  readonly hours: number;
}

const toneOrder = ["bad", "warn", "busy", "plain", "good"];

function HealthOverview({ traffic, recipients, hours }: HealthOverviewProps) {
  const now = useNow(refreshMs);
  const byId = new Map(recipients.map((recipient) => [recipient.id, recipient]));
  const rows = traffic
    .flatMap((entry): readonly HealthRow[] => {
      const recipient = byId.get(entry.recipientId);
      return recipient === undefined ? [] : [{ entry, recipient, health: healthOf(recipient, entry, now) }];
    })
    .toSorted((one, other) => toneOrder.indexOf(one.health.tone) - toneOrder.indexOf(other.health.tone));
  if (rows.length === 0) {
    return (
      <div className="empty">
        <h2>No recipients yet</h2>
        <p>
          <Link href="/">Add a recipient</Link> first.
        </p>
      </div>
    );
  }
  return (
    <>
      <Totals rows={rows} now={now} />
      <AttemptCharts hours={hours} />
      <HealthTable rows={rows} now={now} />
    </>
  );
}

/** A recipient that refuses notifications for good answers well, but does not get them. */
function healthOf(recipient: Recipient, { dead, delivered }: RecipientTraffic, now: Date): Words {
  const health = describeHealth(recipient, now);
  if (health.tone !== "good" || dead === 0) return health;
  return {
    label: "Dead deliveries",
    tone: delivered === 0 ? "bad" : "warn",
    meaning: `${counted(dead, "delivery is", "deliveries are")} dead. Open them to see why.`,
  };
}

interface RowsProps {
  readonly rows: readonly HealthRow[];
  readonly now: Date;
}

function Totals({ rows, now }: RowsProps) {
  const sum = sumTraffic(rows.map(({ entry }) => entry));
  const failing = rows.filter(({ health }) => health.tone === "bad").length;
  return (
    <dl className="totals">
      <Tile term="Failing recipients" isBad={failing > 0}>
        {failing.toLocaleString("en")} of {rows.length.toLocaleString("en")}
      </Tile>
      <Tile term="Arrived of those due" isBad={sum.dead + sum.late > 0}>
        {describeShare(sum)}
      </Tile>
      <Tile term="Pending for more than a minute" isBad={sum.late > 0}>
        {sum.late.toLocaleString("en")}
      </Tile>
      <Tile term="Oldest pending">{ageOf(sum.oldestPendingAt, now)}</Tile>
      <Tile term="Delivered">{sum.delivered.toLocaleString("en")}</Tile>
      <Tile term="Dead" isBad={sum.dead > 0}>
        {sum.dead.toLocaleString("en")}
      </Tile>
    </dl>
  );
}

interface TileProps {
  readonly term: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Tile({ term, isBad = false, children }: TileProps) {
  return (
    <div className={isBad ? "bad" : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ageOf(at: string | null, now: Date): string {
  return at === null ? "–" : formatDuration((now.getTime() - new Date(at).getTime()) / 1_000);
}

function HealthTable({ rows, now }: RowsProps) {
  return (
    <DataTable
      caption="Health of the recipients"
      look="list"
      items={rows}
      keyOf={({ recipient }) => recipient.id}
      columns={[
        {
          title: "Recipient",
          cell: ({ recipient: { id, name } }) => (
            <Link href={`/recipients/${id}`} className="order" data-row>
              {name}
            </Link>
          ),
        },
        { title: "Health", label: null, cell: ({ health }) => <ToneBadge {...health} /> },
        {
          title: "Details",
          label: null,
          className: "doing",
          cell: ({ recipient, health }) => <HealthText recipient={recipient} health={health} />,
        },
        {
          title: "Pending",
          isNumber: true,
          cell: ({ entry, recipient }) => <Count of={entry.pending} state="pending" recipient={recipient} />,
        },
        {
          title: "Oldest pending",
          isNumber: true,
          cell: ({ entry }) => <span>{ageOf(entry.oldestPendingAt, now)}</span>,
        },
        {
          title: "Delivered",
          isNumber: true,
          cell: ({ entry }) => <span>{entry.delivered.toLocaleString("en")}</span>,
        },
        {
          title: "Dead",
          isNumber: true,
          cell: ({ entry, recipient }) => <Count of={entry.dead} state="dead" recipient={recipient} />,
        },
        {
          title: "Arrived of those due",
          label: "Arrived",
          isNumber: true,
          cell: ({ entry }) => <span>{describeShare(entry)}</span>,
        },
      ]}
    />
  );
}

interface CountProps {
  readonly of: number;
  readonly state: "pending" | "dead";
  readonly recipient: Recipient;
}

function Count({ of, state, recipient }: CountProps) {
  if (of === 0) return <span>0</span>;
  const label = `${of} ${state === "dead" ? "dead" : "pending"} for ${recipient.name}`;
  return (
    <Link href={`/deliveries?recipient=${recipient.id}&state=${state}`} aria-label={label}>
      {of.toLocaleString("en")}
    </Link>
  );
}
