import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import { useChange, useRead } from "../api/hooks.ts";
import type { NoticeRow } from "../api/responses.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { NoSender } from "../components/no-sender.tsx";
import { When } from "../components/when.tsx";
import { NoticeDialog } from "./notice-dialog.tsx";
import { channelWords, describeScope, describeTiming } from "./notice-words.ts";
import "./notices-page.css";

const intervalMs = 15_000;

/** Who is told by e-mail or chat that cases wait. */
export function NoticesPage() {
  const rules = useRead("GET /notice-rules", {}, { refetchInterval: intervalMs });
  const [edited, setEdited] = useState<NoticeRow | "new" | null>(null);
  return (
    <>
      <div className="page-head">
        <h1>Notices</h1>
        <p className="quiet">
          Messages by e-mail, Slack or Microsoft Teams when cases wait for review. They name no traveller.
        </p>
      </div>
      <NoSender sends="notice" />
      <div className="filters">
        <Button onClick={() => setEdited("new")}>Add notice …</Button>
      </div>
      {rules.isError ? <ErrorCallout problem={rules.error} onRetry={() => void rules.refetch()} /> : null}
      {rules.isPending ? <Loading label="Loading" /> : null}
      {rules.data?.items.length === 0 ? (
        <p>No notices yet. Add one, so that people learn of waiting cases without looking here.</p>
      ) : null}
      {rules.data !== undefined && rules.data.items.length > 0 ? (
        <NoticeTable rules={rules.data.items} onEdit={setEdited} />
      ) : null}
      {edited === null ? null : (
        <NoticeDialog rule={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface NoticeTableProps {
  readonly rules: readonly NoticeRow[];
  readonly onEdit: (rule: NoticeRow) => void;
}

function NoticeTable({ rules, onEdit }: NoticeTableProps) {
  const [removed, setRemoved] = useState<NoticeRow | null>(null);
  const test = useTest();
  const pause = usePause();
  return (
    <>
      <TestResult test={test} />
      {pause.isError ? <ErrorCallout problem={pause.error} title="The notice was not changed" /> : null}
      <DataTable
        caption="Notices"
        look="list"
        items={rules}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Name",
            cell: ({ name, paused }) => (
              <>
                {name}
                {paused ? <div className="quiet">Paused</div> : null}
              </>
            ),
          },
          {
            title: "Sent to",
            cell: ({ channel, to }) => (
              <>
                {channelWords[channel]}
                <div className="quiet">{to.join(", ")}</div>
              </>
            ),
          },
          { title: "When", cell: describeTiming },
          { title: "Cases", cell: describeScope },
          { title: "Last message", cell: (rule) => <LastMessage rule={rule} /> },
          {
            title: "Actions",
            label: null,
            cell: (rule) => (
              <NoticeActions
                rule={rule}
                test={test}
                pause={pause}
                onEdit={() => onEdit(rule)}
                onRemove={() => setRemoved(rule)}
              />
            ),
          },
        ]}
      />
      {removed === null ? null : <RemoveDialog rule={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

interface NoticeActionsProps {
  readonly rule: NoticeRow;
  readonly test: ReturnType<typeof useTest>;
  readonly pause: ReturnType<typeof usePause>;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function NoticeActions({ rule, test, pause, onEdit, onRemove }: NoticeActionsProps) {
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Send a test of ${rule.name}`}
        loading={test.isPending && test.variables.id === rule.id}
        onClick={() => test.mutate(rule)}
      >
        Send a test
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${rule.paused ? "Resume" : "Pause"} ${rule.name}`}
        loading={pause.isPending && pause.variables.params.id === rule.id}
        onClick={() => pause.mutate({ params: { id: rule.id }, body: { paused: !rule.paused } })}
      >
        {rule.paused ? "Resume" : "Pause"}
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`Change ${rule.name}`} onClick={onEdit}>
        Change …
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`Remove ${rule.name}`} onClick={onRemove}>
        Remove …
      </Button>
    </Group>
  );
}

function LastMessage({ rule: { failing, lastSentAt } }: { readonly rule: NoticeRow }) {
  return (
    <>
      {lastSentAt === null ? "None yet" : <When at={lastSentAt} />}
      {failing === null ? null : (
        <span className="notice-error">
          Failing since <When at={failing.since} />: {failing.message}
        </span>
      )}
    </>
  );
}

function useTest() {
  return useChanging(({ id }: NoticeRow) => call("POST /notice-rules/{id}/test", { params: { id } }));
}

function usePause() {
  return useChange("PATCH /notice-rules/{id}");
}

function TestResult({ test }: { readonly test: ReturnType<typeof useTest> }) {
  if (test.isError) return <ErrorCallout problem={test.error} title="The test was not sent" onClose={test.reset} />;
  if (!test.isSuccess) return null;
  const { problem } = test.data;
  return problem === null ? (
    <Callout tone="good" title="The test was sent" onClose={test.reset}>
      It went to {test.variables.to.join(", ")}.
    </Callout>
  ) : (
    <Callout tone="bad" title="The test did not arrive" onClose={test.reset}>
      {problem.message}
    </Callout>
  );
}

function RemoveDialog({ rule, onClose }: { readonly rule: NoticeRow; readonly onClose: () => void }) {
  const remove = useChange("DELETE /notice-rules/{id}", onClose);
  return (
    <FormDialog
      title={`Remove ${rule.name}?`}
      change={remove}
      failed="The notice was not removed"
      submit="Remove"
      isDanger
      onSubmit={() => remove.mutate({ params: { id: rule.id } })}
      onClose={onClose}
    >
      <p>It sends no more messages, and those that are not sent yet are dropped.</p>
    </FormDialog>
  );
}
