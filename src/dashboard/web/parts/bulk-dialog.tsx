import { NativeSelect, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type CaseActionName, caseActions } from "../../../cases/case-actions.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import type { BulkPreview, BulkRequest } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { emptyDraft, readDraft } from "../words/action-draft.ts";
import { type ActionCommand, actionWords, bulkActionNames } from "../words/case-actions.ts";
import { toLocalInput } from "../words/moments.ts";
import { ActionFields } from "./action-fields.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { ErrorNotice, Notice } from "./notices.tsx";

/** The cases that were chosen, or all that one flight brought. */
export type BulkTarget = Omit<BulkRequest, "command">;

interface BulkDialogProps {
  readonly target: BulkTarget;
  readonly onClose: () => void;
}

/** First says what would become of each case; only then it can be run, for those and as they were seen. */
export function BulkDialog({ target, onClose }: BulkDialogProps) {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const names = bulkActionNames.filter((name) => isRoleAtLeast(user.role, caseActions[name].role));
  const [action, setAction] = useState<CaseActionName>("accept");
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft,
    happenedAt: toLocalInput(new Date()),
    assignee: user.username,
  }));
  const preview = useMutation({
    mutationFn: (command: ActionCommand) => api.previewBulk({ ...target, command }),
  });
  const run = useMutation({
    mutationFn: ({ command, rows }: { readonly command: ActionCommand; readonly rows: BulkPreview["items"] }) =>
      api.startBulk(
        { command, caseIds: rows.map(({ caseId }) => caseId) },
        Object.fromEntries(rows.map(({ caseId, version }) => [caseId, version])),
      ),
    onSuccess: ({ id }) => navigate(`/bulk-actions/${id}`),
  });
  const possible = preview.data?.items.filter((row) => row.possible) ?? [];
  const confirmation = String(possible.length);
  // What is typed counts only once it is known how many cases it is for.
  const isCancel = action === "cancel";
  const command = readDraft(action, isCancel ? { ...draft, confirm: confirmation } : draft, confirmation);
  const isConfirmed = !isCancel || draft.confirm.trim() === confirmation;
  const submit = (): void => {
    if (command === null) return;
    if (preview.isSuccess) run.mutate({ command, rows: possible });
    else preview.mutate(command);
  };
  return (
    <FormDialog
      title={describeTarget(target)}
      size="lg"
      problem={run.error}
      problemTitle="The bulk action was not started"
      cancelLabel="Back"
      submit={
        preview.isSuccess
          ? {
              label: `Run on ${possible.length} ${possible.length === 1 ? "case" : "cases"}`,
              isPending: run.isPending,
              isDisabled: !isConfirmed || possible.length === 0,
              isDanger: isCancel,
            }
          : { label: "Preview", isPending: preview.isPending, isDisabled: command === null }
      }
      onSubmit={submit}
      onCancel={preview.isSuccess ? preview.reset : onClose}
      onClose={onClose}
    >
      {preview.isSuccess ? (
        <>
          <p>
            <strong>{actionWords[action].title}</strong>. {actionWords[action].explanation}
          </p>
          <PreviewTable preview={preview.data} possible={possible.length} />
          {isCancel && possible.length > 0 ? (
            <ActionFields
              action="cancel"
              draft={draft}
              onChange={(change) => setDraft((current) => ({ ...current, ...change }))}
              confirmation={{
                value: confirmation,
                label: `Type ${confirmation}, the number of orders to cancel, to confirm`,
              }}
              expectedRefund={null}
              departureAt={null}
              dueByAt={null}
              me={user.username}
            />
          ) : null}
        </>
      ) : (
        <>
          <NativeSelect
            label="Action"
            data-autofocus
            data={names.map((value) => ({ value, label: actionWords[value].title }))}
            value={action}
            onChange={(event) => {
              const chosen = names.find((name) => name === event.currentTarget.value);
              if (chosen !== undefined) setAction(chosen);
            }}
          />
          <p className="quiet">{actionWords[action].explanation}</p>
          {isCancel ? null : (
            <ActionFields
              action={action}
              draft={draft}
              onChange={(change) => setDraft((current) => ({ ...current, ...change }))}
              confirmation={{ value: "", label: "" }}
              expectedRefund={null}
              departureAt={null}
              dueByAt={null}
              me={user.username}
            />
          )}
        </>
      )}
      {preview.isError ? <ErrorNotice problem={preview.error} title="The preview failed" /> : null}
    </FormDialog>
  );
}

function describeTarget({ caseIds, cohort }: BulkTarget): string {
  if (cohort !== undefined) return `All cases of ${cohort.flight} on ${cohort.date}`;
  const count = caseIds?.length ?? 0;
  return count === 1 ? "1 case" : `${count} cases`;
}

interface PreviewTableProps {
  readonly preview: BulkPreview;
  readonly possible: number;
}

function PreviewTable({ preview, possible }: PreviewTableProps) {
  const impossible = preview.items.length - possible;
  return (
    <>
      <Notice
        tone={impossible === 0 ? "good" : "warn"}
        title={`Possible for ${possible} of ${preview.items.length} cases. Nothing has been changed yet.`}
      >
        {impossible === 0 ? null : "The others are skipped, for the reason shown."}
      </Notice>
      <div className="table-box bulk-rows">
        <table className="cases">
          <caption>
            <VisuallyHidden>Preview for each case</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Possible</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {preview.items.map((row) => (
              <tr key={row.caseId}>
                <th scope="row">{row.orderId}</th>
                <td>
                  <span className={`badge tone-${row.possible ? "good" : "plain"}`}>{row.possible ? "Yes" : "No"}</span>
                </td>
                <td>{row.possible ? null : row.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
