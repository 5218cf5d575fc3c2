import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import { ApiProblem, api } from "../api/api-client.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { emptyDraft, readDraft } from "../words/action-draft.ts";
import { type ActionCommand, actionWords } from "../words/case-actions.ts";
import { toLocalInput } from "../words/moments.ts";
import { describeCaseState, usernameOf } from "../words/state-words.ts";
import { ActionFields } from "./action-fields.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { ErrorNotice } from "./notices.tsx";

/** Shown on the page once the dialog has closed. */
export interface ActionNotice {
  readonly tone: "good" | "warn";
  readonly title: string;
  readonly text: string;
}

interface ActionDialogProps {
  readonly caseView: CaseView;
  readonly action: CaseActionName;
  readonly onClose: () => void;
  readonly onDone: (message: ActionNotice) => void;
}

export function ActionDialog({ caseView, action, onClose, onDone }: ActionDialogProps) {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft,
    happenedAt: toLocalInput(new Date()),
    assignee: usernameOf(caseView.assignee) ?? user.username,
    approvalId: caseView.approval?.id ?? "",
  }));
  // The case may change while the dialog is open. The action is for the version that the user saw when opening it.
  const [version] = useState(caseView.version);
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["case", caseView.id] }),
      queryClient.invalidateQueries({ queryKey: ["cases"] }),
    ]);
  const act = useMutation({
    mutationFn: (command: ActionCommand) => api.act(caseView.id, { ...command, version }),
    onSuccess: async (response) => {
      await reload();
      onDone(response.approval == null ? doneNotice(action) : approvalNotice);
      if (response.caseId !== caseView.id) navigate(`/cases/${response.caseId}`);
    },
    onError: async (error) => {
      if (error instanceof ApiProblem && (error.status === 409 || error.isOutcomeUnknown)) await reload();
    },
  });
  const words = actionWords[action];
  const command = readDraft(action, draft, caseView.orderId);
  const conflict = act.error instanceof ApiProblem && act.error.status === 409 ? act.error : null;
  return (
    <FormDialog
      title={words.title}
      problem={conflict === null ? act.error : null}
      problemTitle="Nothing was done"
      cancelLabel="Back"
      submit={{
        label: words.confirm,
        isPending: act.isPending,
        isDisabled: command === null,
        isDanger: words.look === "danger",
      }}
      footer={conflict === null ? undefined : <CaseChangedNotice problem={conflict} onReload={onClose} />}
      onSubmit={() => {
        if (command !== null) act.mutate(command);
      }}
      onClose={onClose}
    >
      <p>{words.explanation}</p>
      {caseView.headline === null ? null : <p className="quiet">{caseView.headline}</p>}
      <ActionFields
        action={action}
        draft={draft}
        onChange={(change) => setDraft((current) => ({ ...current, ...change }))}
        confirmation={{ value: caseView.orderId, label: `Type the order id ${caseView.orderId} to confirm` }}
        expectedRefund={describeExpectedRefund(caseView.facts)}
        departureAt={caseView.departureAt}
        dueByAt={caseView.dueBy?.at ?? null}
        username={user.username}
      />
    </FormDialog>
  );
}

function describeExpectedRefund(facts: CaseView["facts"]): string | null {
  const refund = facts?.expectedRefund;
  if (refund?.known !== true) return null;
  const currency = facts?.currency;
  return currency?.known === true ? `${refund.value} ${currency.value}` : `${refund.value} (currency not stated)`;
}

const approvalNotice: ActionNotice = {
  tone: "warn",
  title: "A second person must approve",
  text: "Nothing has been sent yet. The order is above the agency's value limit, so someone else must approve it on this page.",
};

function doneNotice(action: CaseActionName): ActionNotice {
  return { tone: "good", title: actionWords[action].title, text: actionWords[action].success };
}

/** Takes the place of the buttons, so that the user looks at the changed case before deciding again. */
function CaseChangedNotice({ problem, onReload }: { readonly problem: ApiProblem; readonly onReload: () => void }) {
  const state = problem.members["state"];
  return (
    <>
      <ErrorNotice problem={problem} title="Nothing was done: the case has changed" />
      <p>
        {typeof state === "string" ? `It is now “${describeCaseState(state).label}”. ` : ""}
        Check the current case before you act again.
      </p>
      <Group justify="flex-end" gap="xs">
        <Button onClick={onReload} data-autofocus>
          Show current case
        </Button>
      </Group>
    </>
  );
}
