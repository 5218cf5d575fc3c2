import { keepPreviousData } from "@tanstack/react-query";
import { useRead } from "../api/hooks.ts";
import { useMay } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import "./members-page.css";
import { Button, Checkbox, SegmentedControl, TextInput, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import type { MemberItem, SourceMembers } from "../api/responses.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { toggle } from "../components/toggle-range.ts";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { openWorkHref } from "../overview/figure-links.ts";
import { type AskedMark, MarkDialog } from "./mark-dialog.tsx";
import { describeSightings, memberClassWords } from "./member-words.ts";

const states = [
  { value: "open", label: "Unmarked" },
  { value: "marked", label: "Marked" },
] as const;
type ShownState = (typeof states)[number]["value"];

/** What a source sends and nobody reads, and what of it is called harmless. */
export function MembersPage({ source }: { readonly source: string }) {
  const [state, setState] = useState<ShownState>("open");
  const [path, setPath] = useState("");
  const [asked, setAsked] = useState<AskedMark | null>(null);
  const members = useRead(
    "GET /members/{source}",
    { params: { source }, query: { state, path: path.trim() } },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  );
  const mayMark = useMay("markMembers");
  return (
    <>
      <title>{`What ${source} sends · Skedchange`}</title>
      <div className="page-head">
        <h1>What this source sends</h1>
        <p className="quiet">
          Source <strong>{source}</strong>. Skedchange does not know these members, so each order that states one needs
          review until a supervisor has marked it as harmless.
        </p>
      </div>
      <div className="filters">
        <SegmentedControl aria-label="Show" data={[...states]} value={state} onChange={setState} />
        <TextInput
          aria-label="Part of the path"
          placeholder="Part of the path"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Link href="/sources">All sources</Link>
      </div>
      {members.isError ? <ErrorCallout problem={members.error} onRetry={() => void members.refetch()} /> : null}
      {members.isPending ? <Loading label="Loading" /> : null}
      {members.data === undefined ? null : (
        <div className="members">
          <Situation members={members.data} state={state} />
          {members.data.items.map((item) => (
            <MemberPanel key={item.path} source={source} item={item} onAsk={mayMark ? setAsked : null} />
          ))}
          <Changes source={source} />
        </div>
      )}
      {asked === null || members.data === undefined ? null : (
        <MarkDialog source={source} number={members.data.number} asked={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function Situation({ members, state }: { readonly members: SourceMembers; readonly state: ShownState }) {
  const { learning, items, total, hasMorePaths } = members;
  return (
    <>
      {learning === null ? null : (
        <Callout tone="plain" title="This source is still learning">
          <p>
            {learning.observed} of {counted(learning.wanted, "order")} observed. Until then nothing automatic is sent.
          </p>
        </Callout>
      )}
      {items.length > 0 ? null : (
        <p className="quiet">{state === "open" ? "Nothing is unmarked." : "Nothing is marked."}</p>
      )}
      {total > items.length ? (
        <p className="quiet">
          The first {items.length} of {total.toLocaleString("en")}. Search for others by their path.
        </p>
      ) : null}
      {hasMorePaths ? (
        <p className="warning">
          This source states more members than are listed. Mark an element above many of them, or ask who runs the
          gateway.
        </p>
      ) : null}
    </>
  );
}

interface MemberProps {
  readonly source: string;
  readonly item: MemberItem;
  /** Null: the user may not mark. */
  readonly onAsk: ((asked: AskedMark) => void) | null;
}

function MemberPanel({ source, item, onAsk }: MemberProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { path, waitingCount, values, markablePaths, mark } = item;
  const { label, tone, meaning } = memberClassWords[item.class];
  const open = values.filter((value) => value.mark === null).map(({ valueDigest }) => valueDigest);
  const chosen = open.filter((digest) => selected.has(digest));
  return (
    <section className="panel" aria-label={path}>
      <div className="member-head">
        <h2>
          <code>{path}</code>
        </h2>
        <span className={`badge tone-${tone}`} title={meaning}>
          {label}
        </span>
        {waitingCount === 0 ? (
          <span className="quiet">no case waits for it</span>
        ) : (
          <Link href={openWorkHref({ show: "waiting", member: path }, source)}>
            {counted(waitingCount, "case waits", "cases wait")} for it
          </Link>
        )}
        {onAsk === null || markablePaths.length === 0 || mark !== null ? null : (
          <Button
            className="member-actions"
            variant="default"
            size="compact-sm"
            onClick={() => onAsk({ kind: "mark", paths: markablePaths, valueDigests: [] })}
          >
            Mark as harmless
          </Button>
        )}
      </div>
      <p className="quiet">
        First seen <When at={item.firstSeenAt} />; {describeSightings(item)}
        {values.length > 0 || item.example === null ? null : (
          <>
            ; such as <code>{item.example}</code>
          </>
        )}
      </p>
      {mark === null ? null : (
        <p>
          <Marked {...mark} />
          {onAsk === null ? null : (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => onAsk({ kind: "withdraw", paths: [mark.path], valueDigests: [] })}
            >
              Withdraw
            </Button>
          )}
        </p>
      )}
      {values.length === 0 ? null : (
        <table className="rules member-values">
          <caption>
            <VisuallyHidden>Values of {path}</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col">Seen</th>
              <th scope="col">Mark</th>
            </tr>
          </thead>
          <tbody>
            {values.map((value) => (
              <tr key={value.valueDigest}>
                <th scope="row">
                  {onAsk === null || value.mark !== null ? (
                    <ValueText {...value} />
                  ) : (
                    <Checkbox
                      checked={selected.has(value.valueDigest)}
                      onChange={() => setSelected(toggle(selected, value.valueDigest))}
                      label={<ValueText {...value} />}
                    />
                  )}
                </th>
                <td data-label="Seen">{describeSightings(value)}</td>
                <td data-label="Mark">
                  {value.mark === null ? (
                    <span className="quiet">none</span>
                  ) : (
                    <>
                      <Marked {...value.mark} />
                      {onAsk === null || mark !== null ? null : (
                        <Button
                          variant="subtle"
                          size="compact-sm"
                          onClick={() => onAsk({ kind: "withdraw", paths: [path], valueDigests: [value.valueDigest] })}
                        >
                          Withdraw
                        </Button>
                      )}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {values.length > 0 && markablePaths.length > 0 && mark === null && item.class !== "other" ? (
        <p className="quiet">
          Nearly every order has another value. If they are keys, mark the path: other values of the same form are then
          covered too, orders to stop are not.
        </p>
      ) : null}
      {item.hasManyValues ? (
        <p className="quiet">It has many values. Others are listed once some of these are marked.</p>
      ) : null}
      {onAsk === null || open.length === 0 ? null : (
        <Button
          variant="default"
          size="compact-sm"
          disabled={chosen.length === 0}
          onClick={() => onAsk({ kind: "mark", paths: [path], valueDigests: chosen })}
        >
          {chosen.length < 2 ? "Mark the value as harmless" : `Mark ${chosen.length} values as harmless`}
        </Button>
      )}
    </section>
  );
}

function ValueText({ example, word }: Pick<MemberItem["values"][number], "example" | "word">) {
  return (
    <>
      <code>{example ?? "not shown"}</code>
      {word === null ? null : <span className="quiet"> {word}</span>}
    </>
  );
}

function Marked({ path, reason, markedBy, markedAt }: NonNullable<MemberItem["mark"]>) {
  return (
    <>
      Harmless: {reason}{" "}
      <span className="quiet" title={path}>
        {describeActor(markedBy)}, <When at={markedAt} />
      </span>
    </>
  );
}

function Changes({ source }: { readonly source: string }) {
  const changes = useRead("GET /members/{source}/marks", { params: { source } });
  if (changes.data === undefined || changes.data.changes.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="mark-changes">
      <h2 id="mark-changes">Changes of the marks</h2>
      <DataTable
        look="rules"
        items={changes.data.changes}
        keyOf={({ number }) => number}
        columns={[
          { title: "Number", cell: ({ number }) => number },
          {
            title: "Change",
            cell: ({ change, path, valueDigests }) => (
              <>
                {change === "marked" ? "Marked" : "Withdrawn"} <code>{path}</code>
                {valueDigests.length === 0 ? null : (
                  <span className="quiet"> {counted(valueDigests.length, "value")}</span>
                )}
              </>
            ),
          },
          { title: "Reason", cell: ({ reason }) => reason },
          {
            title: "By",
            cell: ({ changedBy, changedAt }) => (
              <>
                {describeActor(changedBy)}, <When at={changedAt} />
              </>
            ),
          },
        ]}
      />
    </section>
  );
}
