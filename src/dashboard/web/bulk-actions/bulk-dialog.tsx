import { NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { type CaseActionName, caseActions } from "../../../cases/case-actions.ts";
import { counted } from "../../../kernel/counted.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { previewBulk } from "../api/api-client.ts";
import { useChange } from "../api/hooks.ts";
import type { BulkPreview, BulkRequest } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { emptyDraft, readDraft } from "../case/action-draft.ts";
import { ActionFields, asksForFields } from "../case/action-fields.tsx";
import { type ActionCommand, actionWords, bulkActionNames } from "../case/case-actions.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { toLocalInput } from "../labels/moments.ts";
import { BulkDangers, BulkPreviewTable } from "./bulk-preview.tsx";

/** The selected cases, all that match the filters of a list, or all of one flight. */
export type BulkTarget = Omit<BulkRequest, "command">;

interface BulkDialogProps {
  readonly target: BulkTarget;
  /** The action that a key has chosen. Its preview is made at once if nothing has to be filled in. */
  readonly startWith?: CaseActionName | null;
  readonly onClose: () => void;
}

/** First step: choose an action and preview it. Second step: run it on the cases for which it is possible. */
export function BulkDialog({ target, startWith = null, onClose }: BulkDialogProps) {
  const { user } = useSession();
  const [action, setAction] = useState<CaseActionName>(startWith ?? "accept");
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft,
    happenedAt: toLocalInput(new Date()),
    assignee: user.username,
  }));
  const preview = useMutation({ mutationFn: (command: ActionCommand) => previewBulk({ ...target, command }) });
  const [, navigate] = useLocation();
  const run = useChange(
    "POST /bulk-actions",
    (started) => {
      if ("id" in started) navigate(`/bulk-actions/${started.id}`);
    },
    { isLeaving: true },
  );
  const isCancel = action === "cancel";
  const [isChecked, setIsChecked] = useState(false);
  const allPossible = preview.data?.items.filter((row) => row.possible) ?? [];
  const dangerous = allPossible.filter(({ dangers }) => dangers.length > 0);
  const possible = isChecked ? allPossible : allPossible.filter(({ dangers }) => dangers.length === 0);
  // A cancel is confirmed in the second step, by the number of orders, which only the preview knows.
  const count = String(possible.length);
  const isConfirmed = !isCancel || draft.confirm.trim() === count;
  const command = readDraft(action, isCancel ? { ...draft, confirm: count } : draft, count);

  const { mutate } = preview;
  const atOnce = useRef(startWith !== null && !isCancel && !asksForFields(startWith) ? command : null);
  useEffect(() => {
    if (atOnce.current !== null) mutate(atOnce.current);
    atOnce.current = null;
  }, [mutate]);

  const dialog = { title: describeTarget(target), size: "lg", onClose } as const;
  const fields = {
    action,
    draft,
    onChange: (change) => setDraft((current) => ({ ...current, ...change })),
    confirmation: { value: count, label: `Type ${count}, the number of orders to cancel, to confirm` },
    expectedRefund: null,
    approval: "A cancel of an order above the agency's value limit, if there is one, waits for a second person.",
    dueByAt: null,
    snoozableUntil: null,
    source: null,
  } satisfies ComponentProps<typeof ActionFields>;

  if (!preview.isSuccess) {
    return (
      <FormDialog
        {...dialog}
        change={preview}
        failed="The preview failed"
        submit="Preview"
        isDisabled={command === null}
        onSubmit={() => command !== null && preview.mutate(command)}
      >
        <ActionSelect action={action} onChange={setAction} />
        <p className="quiet">{actionWords[action].explanation}</p>
        {isCancel ? null : <ActionFields {...fields} />}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      key="run"
      {...dialog}
      change={run}
      failed="The bulk action was not started"
      cancel="Back"
      onCancel={() => {
        setIsChecked(false);
        preview.reset();
      }}
      submit={`Run on ${counted(possible.length, "case")}`}
      isDisabled={!isConfirmed || possible.length === 0}
      isDanger={isCancel || (isChecked && dangerous.length > 0)}
      hasFocus={!isCancel && possible.length > 0}
      onSubmit={() => command !== null && run.mutate(startOf(command, possible))}
    >
      <p>
        <strong>{actionWords[action].title}</strong>. {actionWords[action].explanation}
      </p>
      {dangerous.length === 0 ? null : <BulkDangers rows={dangerous} isChecked={isChecked} onChange={setIsChecked} />}
      <BulkPreviewTable preview={preview.data} possible={allPossible.length} />
      {isCancel && possible.length > 0 ? <ActionFields {...fields} /> : null}
    </FormDialog>
  );
}

function describeTarget({ caseIds, cohort, filter }: BulkTarget): string {
  if (filter !== undefined) return "All open cases that match the filters";
  if (cohort !== undefined) return `All cases of ${cohort.flight} on ${cohort.date}`;
  return counted(caseIds?.length ?? 0, "case");
}

/** Runs the action on the cases in the versions that the preview showed. */
function startOf(command: ActionCommand, rows: BulkPreview["items"]) {
  return {
    body: {
      command,
      caseIds: rows.map(({ caseId }) => caseId),
      versions: Object.fromEntries(rows.map(({ caseId, version }) => [caseId, version])),
      dryRun: false,
    },
  };
}

interface ActionSelectProps {
  readonly action: CaseActionName;
  readonly onChange: (action: CaseActionName) => void;
}

function ActionSelect({ action, onChange }: ActionSelectProps) {
  const { user } = useSession();
  const names = bulkActionNames.filter((name) => isRoleAtLeast(user.role, caseActions[name].role));
  return (
    <NativeSelect
      label="Action"
      data-autofocus
      data={names.map((value) => ({ value, label: actionWords[value].title }))}
      value={action}
      onChange={(event) => {
        const chosen = names.find((name) => name === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}
