import { Button, Checkbox, Group, NativeSelect, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { whatHelps } from "../../../contract/what-helps.ts";
import type { ApiTypes } from "../../api/routes.ts";
import { call, readText } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import { useList, useRead } from "../api/hooks.ts";
import { usePollingInterval } from "../api/live-updates.tsx";
import type { NotificationRow } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { BodyDeleted } from "../components/body-deleted.tsx";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { Copyable } from "../components/copyable.tsx";
import { ExportCsv } from "../components/export-csv.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { RawBodyDialog, type RawBodySource } from "../components/raw-body.tsx";
import { SelectAll } from "../components/select-all.tsx";
import { toggle } from "../components/toggle-range.ts";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import "./quarantine-page.css";
import { NoteField } from "../components/note-field.tsx";

const shownStates = [
  { value: "quarantined", label: "Quarantined" },
  { value: "discarded", label: "Discarded" },
  { value: "released", label: "Released" },
] as const;

type ShownState = (typeof shownStates)[number]["value"];

const noneSelected: ReadonlySet<string> = new Set();

export function QuarantinePage() {
  const [state, setState] = useState<ShownState>("quarantined");
  const [code, setCode] = useState("");
  const [selected, setSelected] = useState(noneSelected);
  const [body, setBody] = useState<RawBodySource | null>(null);
  // A quarantined body belongs to no case, so the event stream does not announce it.
  const refetchInterval = Math.min(usePollingInterval(), quarantineIntervalMs);
  const counts = useRead("GET /quarantine", {}, { refetchInterval });
  const notifications = useList("GET /notifications", { query: { state, code, limit: 50 } }, { refetchInterval });
  const reprocess = useReprocess();
  const mayChange = useMay("reprocessNotification");
  const show = (change: { readonly state?: ShownState; readonly code?: string }): void => {
    setSelected(noneSelected);
    if (change.state !== undefined) setState(change.state);
    setCode(change.code ?? "");
  };
  const codes = state === "quarantined" ? (counts.data?.items ?? []) : [];
  return (
    <>
      <div className="page-head">
        <h1>Quarantine</h1>
        <p className="quiet">
          Notifications from a known gateway that could not be processed. They are stored exactly as received.
        </p>
      </div>
      <div className="filters quarantine-filters">
        <SegmentedControl
          aria-label="State"
          data={[...shownStates]}
          value={state}
          onChange={(chosen) => show({ state: chosen })}
        />
        {codes.length === 0 ? null : (
          <NativeSelect
            aria-label="Problem"
            w={260}
            data={[
              { value: "", label: `All problems (${sumOf(codes).toLocaleString("en")})` },
              ...codes.map(({ code: value, count }) => ({ value, label: `${value} (${count.toLocaleString("en")})` })),
            ]}
            value={code}
            onChange={(event) => show({ code: event.currentTarget.value })}
          />
        )}
        <ExportCsv list="/notifications.csv" query={{ state, code }} />
        <a href="/docs">What the codes mean</a>
      </div>
      <ReprocessResult reprocess={reprocess} />
      {mayChange && state !== "released" && (notifications.data?.pages[0]?.items.length ?? 0) > 0 ? (
        <QuarantineBar
          ids={[...selected]}
          state={state}
          code={code}
          reprocess={reprocess}
          onDone={() => setSelected(noneSelected)}
        />
      ) : null}
      <PagedList list={notifications} empty={empty[state]}>
        {(items) => (
          <NotificationTable
            items={items}
            selection={mayChange && state !== "released" ? { selected, onChange: setSelected } : null}
            reprocess={mayChange ? reprocess : null}
            onShow={setBody}
          />
        )}
      </PagedList>
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </>
  );
}

const quarantineIntervalMs = 15_000;

const empty: Readonly<Record<ShownState, { readonly title: string; readonly text: string }>> = {
  quarantined: { title: "Quarantine is empty", text: "Every notification received could be processed." },
  discarded: {
    title: "No discarded notifications",
    text: "Notifications that can never be processed can be discarded. They are listed here and can still be reprocessed.",
  },
  released: {
    title: "No released notifications",
    text: "Notifications that were reprocessed successfully are listed here.",
  },
};

function sumOf(codes: readonly { readonly count: number }[]): number {
  return codes.reduce((sum, { count }) => sum + count, 0);
}

/** Those that are selected, or all that match the filter, page after page. */
interface Targets {
  readonly ids: readonly string[];
  readonly state: Exclude<ShownState, "released">;
  readonly code: string;
}

const pageOfIds = 200;

async function* pagesOf({ ids, state, code }: Targets): AsyncGenerator<string[]> {
  if (ids.length > 0) {
    for (let first = 0; first < ids.length; first += pageOfIds) yield ids.slice(first, first + pageOfIds);
    return;
  }
  let cursor: string | null = null;
  do {
    const query = { state, code, cursor, limit: pageOfIds };
    const page: ApiTypes["GET /notifications"]["response"] = await call("GET /notifications", { query });
    yield page.items.map(({ id }) => id);
    cursor = page.nextCursor;
  } while (cursor !== null);
}

type Reprocessed = ApiTypes["POST /quarantine/reprocess"]["response"];
type Reprocess = ReturnType<typeof useReprocess>;

function useReprocess() {
  return useChanging(async (targets: Targets) => {
    const parts: Reprocessed[] = [];
    for await (const part of reprocess(targets)) parts.push(part);
    return {
      released: parts.flatMap(({ released }) => released),
      unusable: parts.flatMap(({ unusable }) => unusable),
    };
  });
}

/** The server finds those that match, and goes on with them if this tab is closed. */
async function* reprocess(targets: Targets): AsyncGenerator<Reprocessed> {
  if (targets.ids.length > 0) {
    for await (const ids of pagesOf(targets)) yield await call("POST /quarantine/reprocess", { body: { ids } });
    return;
  }
  const { state, code } = targets;
  const filter = code === "" ? { state } : { state, code };
  let cursor: string | null = null;
  do {
    const body = cursor === null ? filter : { ...filter, cursor };
    const part: Reprocessed = await call("POST /quarantine/reprocess", { body });
    yield part;
    cursor = part.nextCursor;
  } while (cursor !== null);
}

function ReprocessResult({ reprocess }: { readonly reprocess: Reprocess }) {
  if (reprocess.isError) {
    return <ErrorCallout problem={reprocess.error} title="Not all were reprocessed" onClose={reprocess.reset} />;
  }
  if (!reprocess.isSuccess) return null;
  const { released, unusable } = reprocess.data;
  const cases = released.flatMap((each) => each.cases);
  return (
    <>
      {unusable[0] === undefined ? null : (
        <Callout
          tone={released.length === 0 ? "bad" : "warn"}
          title={
            unusable.length === 1
              ? "The notification still can't be processed"
              : `${unusable.length} still can't be processed`
          }
          onClose={reprocess.reset}
        >
          {unusable[0].message} It stays in quarantine.
          <p>
            at <code>{unusable[0].path || "the whole body"}</code>
          </p>
        </Callout>
      )}
      {released.length === 0 ? null : (
        <Callout
          tone="good"
          title={released.length === 1 ? "Released" : `${released.length} released`}
          onClose={reprocess.reset}
        >
          {cases.length === 1 ? "Case" : "Cases"}:{" "}
          {cases.slice(0, casesShown).map(({ id, orderId }) => (
            <Link key={id} href={`/cases/${id}`}>
              {orderId}{" "}
            </Link>
          ))}
          {cases.length > casesShown ? `and ${cases.length - casesShown} more` : null}
        </Callout>
      )}
    </>
  );
}

const casesShown = 20;

interface QuarantineBarProps extends Targets {
  readonly reprocess: Reprocess;
  readonly onDone: () => void;
}

function QuarantineBar({ reprocess, onDone, ...targets }: QuarantineBarProps) {
  const [isDiscarding, setIsDiscarding] = useState(false);
  const count = targets.ids.length;
  const targetWords = count > 0 ? `${count} selected` : targets.code === "" ? "all" : "all with this problem";
  return (
    <section className="quarantine-bar" aria-label="Selected notifications">
      <Button
        size="compact-sm"
        loading={reprocess.isPending}
        onClick={() => reprocess.mutate(targets, { onSuccess: onDone })}
      >
        Reprocess {targetWords}
      </Button>
      {targets.state === "discarded" ? null : (
        <Button size="compact-sm" variant="default" onClick={() => setIsDiscarding(true)}>
          Discard {targetWords} …
        </Button>
      )}
      {isDiscarding ? (
        <DiscardDialog
          targets={targets}
          targetWords={targetWords}
          onClose={() => setIsDiscarding(false)}
          onDone={() => {
            setIsDiscarding(false);
            onDone();
          }}
        />
      ) : null}
    </section>
  );
}

interface DiscardDialogProps {
  readonly targets: Targets;
  readonly targetWords: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function DiscardDialog({ targets, targetWords, onClose, onDone }: DiscardDialogProps) {
  const [note, setNote] = useState("");
  const discard = useChanging(async () => {
    // A discarded one leaves the list, so all are read before the first is discarded.
    const pages = [];
    for await (const ids of pagesOf(targets)) pages.push(ids);
    for (const ids of pages) {
      if (ids.length > 0) await call("POST /quarantine/discard", { body: { ids, note: note.trim() } });
    }
  }, onDone);
  return (
    <FormDialog
      title={`Discard ${targetWords}`}
      change={discard}
      failed="Not all were discarded"
      cancel="Back"
      submit="Discard"
      isDisabled={note.trim() === ""}
      isDanger
      onSubmit={() => discard.mutate()}
      onClose={onClose}
    >
      <p>They leave this list and no longer raise the alert. The bodies stay stored and can still be reprocessed.</p>
      <NoteField
        description="Why they can never be processed."
        required
        isFocusedFirst
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}

interface NotificationTableProps {
  readonly items: readonly NotificationRow[];
  readonly selection: {
    readonly selected: ReadonlySet<string>;
    readonly onChange: (selected: ReadonlySet<string>) => void;
  } | null;
  /** Null if the role may not. */
  readonly reprocess: Reprocess | null;
  readonly onShow: (source: RawBodySource) => void;
}

function NotificationTable({ items, selection, reprocess, onShow }: NotificationTableProps) {
  const canRead = useMay("readBodies");
  return (
    <div className="table-box">
      <table className="list cards quarantine">
        <caption>
          <VisuallyHidden>Notifications</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {selection === null ? null : (
              <th scope="col" className="choose">
                <SelectAll
                  items={items}
                  selected={selection.selected}
                  label="Select all notifications shown"
                  onChange={(all) => selection.onChange(new Set(all ? items.map(({ id }) => id) : []))}
                />
              </th>
            )}
            <th scope="col">Received</th>
            <th scope="col">Source</th>
            <th scope="col">Problem</th>
            <th scope="col">Location</th>
            <th scope="col">Receipts</th>
            <th scope="col">Size</th>
            {canRead ? <th scope="col">Actions</th> : null}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              {selection === null ? null : (
                <td className="choose">
                  <Checkbox
                    size="xs"
                    aria-label={`Select the notification received ${item.receivedAt}`}
                    checked={selection.selected.has(item.id)}
                    onChange={() => selection.onChange(toggle(selection.selected, item.id))}
                  />
                </td>
              )}
              <th scope="row">
                <When at={item.receivedAt} />
                {item.receipts > 1 ? (
                  <div className="quiet">
                    last <When at={item.lastReceiptAt} />
                  </div>
                ) : null}
              </th>
              <td data-label="Source">{item.source}</td>
              <td>
                <div>{item.problem?.message ?? "–"}</div>
                {item.problem === null ? null : (
                  <>
                    <code className="quiet">{item.problem.code}</code>
                    {item.state === "quarantined" ? <p className="quiet">{whatHelps(item.problem.code)}</p> : null}
                  </>
                )}
                <NamedOrders orders={item.orders} />
                <Discarded discarded={item.discarded} />
              </td>
              <td>
                {item.problem === null ? "–" : <code className="path">{item.problem.path || "the whole body"}</code>}
              </td>
              <td data-label="Receipts">{item.receipts}</td>
              <td data-label="Size">{item.bodyBytes.toLocaleString("en")} B</td>
              {canRead ? (
                <td>
                  <Group gap="xs" wrap="nowrap">
                    {item.bodyDeleted !== null ? (
                      <BodyDeleted deletion={item.bodyDeleted} />
                    ) : (
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={() =>
                          onShow({
                            title: "Notification as received",
                            key: ["notification", item.id],
                            read: () => readText(`/notifications/${item.id}/body`),
                            ...(item.problem === null ? {} : { failingPath: item.problem.path }),
                          })
                        }
                      >
                        Show raw
                      </Button>
                    )}
                    {reprocess !== null && item.state === "quarantined" && item.bodyDeleted === null ? (
                      <Button
                        size="compact-sm"
                        variant="default"
                        loading={reprocess.isPending && reprocess.variables.ids.includes(item.id)}
                        onClick={() => reprocess.mutate({ ids: [item.id], state: "quarantined", code: "" })}
                      >
                        Reprocess
                      </Button>
                    ) : null}
                  </Group>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ordersShown = 3;

/** Shows the orders that a body names, if it can be read. */
function NamedOrders({ orders: { ids, count } }: Pick<NotificationRow, "orders">) {
  if (count === 0) return null;
  const shown = ids.slice(0, ordersShown);
  return (
    <div className="named-orders" title={ids.length > shown.length ? ids.join(", ") : undefined}>
      <span className="quiet">{count === 1 ? "Order" : "Orders"}</span>
      {shown.map((id) => (
        <Copyable key={id} value={id} what="order id" />
      ))}
      {count > shown.length ? (
        <span className="quiet">and {(count - shown.length).toLocaleString("en")} more</span>
      ) : null}
    </div>
  );
}

function Discarded({ discarded }: Pick<NotificationRow, "discarded">) {
  if (discarded === null) return null;
  return (
    <>
      <p className="quiet">
        Discarded <When at={discarded.at} /> by {describeActor(discarded.by)}
      </p>
      {discarded.note === null ? null : <blockquote className="note">{discarded.note}</blockquote>}
    </>
  );
}
