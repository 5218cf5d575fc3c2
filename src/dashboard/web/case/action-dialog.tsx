import { Button, Checkbox, Group } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { describeActionResult } from "../../../cases/action-result.ts";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import { formatMoney } from "../../../travel/money.ts";
import { actionOn, call } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import type { CaseView } from "../api/responses.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSession } from "../api/session.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { formatInstant, toLocalInput } from "../labels/moments.ts";
import { describeCaseState, usernameOf } from "../labels/state-words.ts";
import { acceptDangerNamesOf, acceptDangers, describeCheck } from "./accept-dangers.ts";
import { emptyDraft, readDraft } from "./action-draft.ts";
import { ActionFields, asksForFields } from "./action-fields.tsx";
import { type ActionCommand, actionWords } from "./case-actions.ts";
import { LazyTravellerText } from "./lazy-traveller-text.ts";

/** Shown on the page once the dialog has closed. */
export interface ActionMessage {
  readonly tone: "good" | "warn";
  readonly title: string;
  readonly text?: string;
  /** It says what workers are about to do. */
  readonly isRequest?: boolean;
}

interface ActionDialogProps {
  readonly caseView: CaseView;
  readonly action: CaseActionName;
  /** Another case is shown once it is done, so that there is no need to wait for this one. */
  readonly isLeaving?: boolean;
  readonly onClose: () => void;
  readonly onDone: (message: ActionMessage) => void;
}

export function ActionDialog({ caseView, action, isLeaving = false, onClose, onDone }: ActionDialogProps) {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(() => ({
    ...emptyDraft,
    happenedAt: toLocalInput(new Date()),
    assignee: usernameOf(caseView.assignee) ?? user.username,
    approvalId: caseView.approval?.id ?? "",
  }));
  // The case may change while the dialog is open. The action is for the version that the user saw when opening it.
  const [version] = useState(caseView.version);
  const act = useChanging(
    (sent: ActionCommand) => call("POST /cases/{id}/actions", actionOn(caseView.id, { ...sent, version })),
    (response, sent) => {
      onDone(response.approval == null ? doneMessage(sent) : approvalMessage(caseView));
      if (response.caseId !== caseView.id) navigate(`/cases/${response.caseId}`);
    },
    { isLeaving },
  );
  const words = actionWords[action];
  const dangers = action === "accept" ? acceptDangers(caseView) : [];
  const [isChecked, setIsChecked] = useState(false);
  const command = readDraft(action, draft, caseView.orderId, caseView.gdsBookingReferences);
  const conflict = act.error instanceof ApiProblem && act.error.status === 409 ? act.error : null;
  return (
    <FormDialog
      title={words.title}
      change={conflict === null ? act : { isPending: false, error: null }}
      failed="Nothing was done"
      cancel="Back"
      submit={words.confirm}
      isDisabled={command === null || (dangers.length > 0 && !isChecked)}
      isDanger={words.look === "danger" || dangers.length > 0}
      hasFocus={words.needsNote === undefined && !asksForFields(action) && dangers.length === 0}
      footer={conflict === null ? undefined : <CaseChangedCallout problem={conflict} onReload={onClose} />}
      onSubmit={() => {
        if (command !== null) act.mutate(command);
      }}
      onClose={onClose}
    >
      <p>{words.explanation}</p>
      {caseView.headline === null ? null : <p className="quiet">{caseView.headline}</p>}
      {dangers.length === 0 ? null : (
        <div className="danger-box" role="group" aria-label="Danger">
          {dangers.map((danger) => (
            <p key={danger}>{danger}</p>
          ))}
          <Checkbox
            label={describeCheck(acceptDangerNamesOf(caseView), "this")}
            checked={isChecked}
            data-autofocus
            onChange={(event) => setIsChecked(event.currentTarget.checked)}
          />
        </div>
      )}
      {action === "traveller-informed" || action === "traveller-asked" ? <TextToUse caseView={caseView} /> : null}
      <ActionFields
        action={action}
        draft={draft}
        onChange={(change) => setDraft((current) => ({ ...current, ...change }))}
        confirmation={{
          value: caseView.orderId,
          label: `Type the order id ${caseView.orderId} to confirm`,
          description: caseView.gdsBookingReferences.length === 0 ? null : "Or a booking reference of the order.",
        }}
        onSuggest={(change) => {
          const chosen = readDraft(action, { ...draft, ...change }, caseView.orderId);
          if (chosen !== null && !act.isPending) act.mutate(chosen);
        }}
        expectedRefund={describeExpectedRefund(caseView.facts)}
        approval={describeApproval(caseView)}
        dueByAt={caseView.dueBy?.at ?? null}
        snoozableUntil={caseView.snoozableUntil}
        source={caseView.source}
      />
    </FormDialog>
  );
}

function TextToUse({ caseView }: { readonly caseView: CaseView }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="action-text" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Text for the travellers</summary>
      {isOpen ? <LazyTravellerText caseView={caseView} /> : null}
    </details>
  );
}

function describeExpectedRefund(facts: CaseView["facts"]): string | null {
  const refund = facts?.expectedRefund;
  if (refund?.known !== true) return null;
  const currency = facts?.currency;
  return formatMoney(String(refund.value), currency?.known === true ? currency.value : null);
}

function approvalMessage(caseView: CaseView): ActionMessage {
  return {
    tone: "warn",
    title: "A second person must approve",
    text: `Nothing has been sent yet. ${whyApproval(caseView)}, so someone else must approve it on this page.`,
  };
}

function describeApproval(caseView: CaseView): string | null {
  if (!caseView.cancelNeedsApproval) return null;
  return `${whyApproval(caseView)}, so a second person must approve before anything is sent.`;
}

function whyApproval({ facts }: CaseView): string {
  return facts?.orderValue?.known === true
    ? "The order is above the agency's value limit"
    : "The value of the order is not known";
}

function doneMessage(command: ActionCommand): ActionMessage {
  const { isRequest = false } = actionWords[command.action];
  const title = describeActionResult(command.action, command, (at) => formatInstant(new Date(at), new Date()));
  return { tone: "good", title, isRequest };
}

/** Takes the place of the buttons, so that the user looks at the changed case before deciding again. */
function CaseChangedCallout({ problem, onReload }: { readonly problem: ApiProblem; readonly onReload: () => void }) {
  const state = problem.members["state"];
  return (
    <>
      {problem.code === "api.case_moved" ? (
        // Its message names the versions, which say nothing to people.
        <Callout tone="bad" title="Nothing was done: the case has changed">
          <p>The airline or a colleague changed it after you opened this.</p>
        </Callout>
      ) : (
        <ErrorCallout problem={problem} title="Nothing was done: the case has changed" />
      )}
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
