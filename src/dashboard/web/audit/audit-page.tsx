import { counted } from "../../../kernel/counted.ts";
import { fileUrl } from "../api/api-client.ts";
import { useList } from "../api/hooks.ts";
import { DataTable } from "../components/data-table.tsx";
import "./audit-page.css";
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { AuditRow } from "../api/responses.ts";
import { PagedList } from "../components/paged-list.tsx";
import { Pair } from "../components/pair.tsx";
import { When } from "../components/when.tsx";
import { parseInstant } from "../labels/moments.ts";
import { describeActor } from "../labels/state-words.ts";
import { AuditCheck } from "./audit-check.tsx";
import { actorOf } from "./audit-words.ts";

export function AuditPage() {
  // The filters are part of the address, so that it can be bookmarked and sent.
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params);
  const [shown, setShown] = useState<AuditRow | null>(null);
  const entries = useList("GET /audit", { query: { ...filters, limit: 50 } }, { forgetsShown: true });
  return (
    <>
      <div className="page-head">
        <h1>Audit</h1>
        <p className="quiet">
          Who did what to which order, newest first. It holds ids only, and no text of a traveller.
        </p>
      </div>
      <FilterForm key={params.toString()} params={params} onApply={setParams} />
      <ChainState newest={entries.data?.pages[0]?.items ?? []} isFiltered={params.size > 0} />
      <div className="export">
        <AuditCheck />
        <Button component="a" variant="default" href={fileUrl("/audit.jsonl", { ...filters })} download>
          Export as JSON lines
        </Button>
      </div>
      <PagedList
        list={entries}
        empty={{ title: "No entries", text: "Nothing that matches these filters was recorded." }}
      >
        {(items) => <EntryTable items={items} onShow={setShown} />}
      </PagedList>
      {shown === null ? null : <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </>
  );
}

const textFilters = [
  { name: "actor", label: "Who", placeholder: "mlopez" },
  { name: "kind", label: "What", placeholder: "decision.made" },
  { name: "orderId", label: "Order id", placeholder: "" },
  { name: "caseId", label: "Case id", placeholder: "" },
] as const;

const timeFilters = [
  { name: "since", label: "From" },
  { name: "until", label: "Until" },
] as const;

/** In the address times are as the browser's field has them: in its own zone, to the minute. */
function filtersOf(params: URLSearchParams) {
  const text = (name: string): string => params.get(name) ?? "";
  const instant = (name: string): string => parseInstant(text(name))?.toISOString() ?? "";
  return {
    actor: actorOf(text("actor")),
    kind: text("kind"),
    orderId: text("orderId"),
    caseId: text("caseId"),
    since: instant("since"),
    until: instant("until"),
  };
}

interface FilterFormProps {
  readonly params: URLSearchParams;
  readonly onApply: (params: Record<string, string>) => void;
}

function FilterForm({ params, onApply }: FilterFormProps) {
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entered = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    onApply(Object.fromEntries(entered.filter(([, value]) => value !== "")) as Record<string, string>);
  };
  return (
    <form className="filters audit-filters" onSubmit={apply}>
      {textFilters.map(({ name, label, placeholder }) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          placeholder={placeholder}
          autoComplete="off"
          defaultValue={params.get(name) ?? ""}
        />
      ))}
      {timeFilters.map(({ name, label }) => (
        <TextInput key={name} type="datetime-local" name={name} label={label} defaultValue={params.get(name) ?? ""} />
      ))}
      <Button type="submit">Filter</Button>
      {params.size === 0 ? null : (
        <Button variant="default" onClick={() => onApply({})}>
          Show all
        </Button>
      )}
    </form>
  );
}

/** An entry is chained a second or two after it was written. */
function ChainState({ newest, isFiltered }: { readonly newest: readonly AuditRow[]; readonly isFiltered: boolean }) {
  const chained = newest.find(({ block }) => block !== null);
  if (isFiltered || chained === undefined) return null;
  const waiting = newest.filter(({ id, block }) => block === null && id > chained.id).length;
  return (
    <p className="quiet chain">
      Chained until <When at={chained.recordedAt} /> (block {chained.block}
      {waiting === 0 ? "" : `; ${counted(waiting, "newer entry waits", "newer entries wait")}`}). Verifying recomputes
      the blocks and says whether anything was changed.
    </p>
  );
}

function EntryTable({
  items,
  onShow,
}: {
  readonly items: readonly AuditRow[];
  readonly onShow: (entry: AuditRow) => void;
}) {
  return (
    <DataTable
      caption="Entries of the audit"
      look="list"
      className="entries"
      items={items}
      keyOf={({ id }) => id}
      columns={[
        { title: "When", cell: ({ at }) => <When at={at} /> },
        { title: "Who", cell: ({ actor, token }) => <span>{describeActor(actor, token)}</span> },
        {
          title: "What",
          cell: (entry) => (
            <>
              <code>{entry.kind}</code> <span className="quiet">{describeRefs(entry)}</span>
            </>
          ),
        },
        { title: "Order", cell: (entry) => <OrderOf entry={entry} /> },
        { title: "Source", cell: ({ source }) => <span>{source ?? "–"}</span> },
        {
          title: "Block",
          cell: ({ block }) => (block === null ? <span className="quiet">Waits</span> : <span>{block}</span>),
        },
        {
          title: "Details",
          isTitleHidden: true,
          label: null,
          cell: (entry) => (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Details of entry ${entry.id}`}
              onClick={() => onShow(entry)}
            >
              Details
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Ids say little at a glance; the details have them. */
function describeRefs({ refs }: AuditRow): string {
  const short = Object.entries(refs).filter(([, value]) => value.length <= 30);
  return short.map(([name, value]) => `${name}: ${value}`).join(", ");
}

function OrderOf({ entry: { caseId, orderId } }: { readonly entry: AuditRow }) {
  if (caseId === null) return <span>{orderId ?? "–"}</span>;
  return <Link href={`/cases/${caseId}`}>{orderId ?? "Case"}</Link>;
}

function EntryDialog({ entry, onClose }: { readonly entry: AuditRow; readonly onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`Entry ${entry.id}: ${entry.kind}`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <dl className="pairs entry">
        <Pair term="Happened">
          <When at={entry.at} long />
        </Pair>
        <Pair term="Recorded">
          <When at={entry.recordedAt} long />
        </Pair>
        <Pair term="Who">
          {entry.actor}
          {entry.token === null ? null : <span className="quiet"> with token {entry.token}</span>}
        </Pair>
        <Pair term="Order">
          <OrderOf entry={entry} />
        </Pair>
        {Object.entries(entry.refs).map(([name, value]) => (
          <Pair key={name} term={name}>
            {value}
          </Pair>
        ))}
        <Pair term="Digest of the detail">
          <code>{entry.detailDigest ?? "–"}</code>
        </Pair>
        <Pair term="Block of the chain">{entry.block ?? "Waits for a second or two"}</Pair>
      </dl>
    </Modal>
  );
}
