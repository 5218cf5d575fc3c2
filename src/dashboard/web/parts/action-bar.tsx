import { Button, Group, Modal, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CaseActionName } from "../../ports.ts";
import type { CaseView } from "../api/answers.ts";
import { ApiProblem, api } from "../api/api-client.ts";
import { useSession } from "../api/session.ts";
import { type PossibleAction, possibleActions } from "../words/possible-actions.ts";
import { describeCaseState } from "../words/state-words.ts";
import { ErrorNotice, Notice } from "./notices.tsx";

interface ActionWords {
  readonly button: string;
  readonly title: string;
  readonly explanation: string;
  readonly confirm: string;
  /** What is told once the server has taken it on. */
  readonly taken: string;
  readonly look: "filled" | "default" | "danger";
}

const actionWords: Readonly<Record<CaseActionName, ActionWords>> = {
  accept: {
    button: "Accept",
    title: "Accept the airline's change",
    explanation:
      "A worker reads the status again and accepts at the gateway, if the proposal is still the one on this page. Afterwards the airline may count another change as voluntary.",
    confirm: "Accept the change",
    taken: "Accept was recorded. A worker reads the status again and then calls the gateway.",
    look: "filled",
  },
  cancel: {
    button: "Cancel order …",
    title: "Cancel the whole order",
    explanation:
      "This cannot be taken back. Every flight and every traveller of the order is cancelled; the refund is known only afterwards.",
    confirm: "Cancel the order",
    taken: "Cancel was recorded. A worker reads the status again and then calls the gateway.",
    look: "danger",
  },
  close: {
    button: "Close",
    title: "Close without a call",
    explanation: "The case ends here and nothing is sent to the gateway. A later change opens a new case.",
    confirm: "Close the case",
    taken: "The case was closed.",
    look: "default",
  },
  recheck: {
    button: "Recheck",
    title: "Read the status again",
    explanation: "A worker reads the reservation's status again and decides anew by the policy.",
    confirm: "Recheck",
    taken: "A worker reads the status again.",
    look: "default",
  },
  "confirm-effect": {
    button: "It happened",
    title: "Confirm the outcome",
    explanation: "Say this only after you have seen at the gateway or the airline that the call was carried out.",
    confirm: "Confirm that it happened",
    taken: "Recorded: the call was carried out.",
    look: "filled",
  },
  "refute-effect": {
    button: "It did not happen",
    title: "Refute the outcome",
    explanation: "Say this only after you have seen at the gateway or the airline that the call was not carried out.",
    confirm: "Confirm that it did not happen",
    taken: "Recorded: the call was not carried out. The case is decided anew.",
    look: "default",
  },
};

interface Told {
  readonly tone: "good" | "warn";
  readonly title: string;
  readonly text: string;
}

/** What the signed-in person can do with the case now, and why the rest cannot be done. */
export function ActionBar({ found }: { readonly found: CaseView }) {
  const { user } = useSession();
  const [chosen, setChosen] = useState<CaseActionName | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const actions = possibleActions(found, user.role);
  const obstacles = [...new Set(actions.flatMap(({ obstacle }) => (obstacle === null ? [] : [obstacle])))];
  return (
    <div className="actions" data-testid="actions">
      {told === null ? null : (
        <Notice tone={told.tone} title={told.title} onClose={() => setTold(null)}>
          {told.text}
        </Notice>
      )}
      {actions.length === 0 ? null : (
        <section aria-label="Actions">
          <Group gap="xs">
            {actions.map((possible) => (
              <ActionButton key={possible.action} possible={possible} onChoose={setChosen} />
            ))}
          </Group>
          {obstacles.map((obstacle) => (
            <p key={obstacle} className="quiet">
              {obstacle}
            </p>
          ))}
        </section>
      )}
      <ActionDialog
        key={chosen ?? "none"}
        found={found}
        action={chosen}
        onClose={() => setChosen(null)}
        onTold={(message) => {
          setChosen(null);
          setTold(message);
        }}
      />
    </div>
  );
}

interface ActionButtonProps {
  readonly possible: PossibleAction;
  readonly onChoose: (action: CaseActionName) => void;
}

function ActionButton({ possible: { action, obstacle }, onChoose }: ActionButtonProps) {
  const words = actionWords[action];
  return (
    <Button
      variant={words.look === "filled" ? "filled" : words.look === "danger" ? "outline" : "default"}
      {...(words.look === "danger" ? { className: "danger" } : {})}
      disabled={obstacle !== null}
      title={obstacle ?? words.title}
      onClick={() => onChoose(action)}
    >
      {words.button}
    </Button>
  );
}

interface ActionDialogProps {
  readonly found: CaseView;
  readonly action: CaseActionName | null;
  readonly onClose: () => void;
  readonly onTold: (message: Told) => void;
}

function ActionDialog({ found, action, onClose, onTold }: ActionDialogProps) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  // The case may move while the dialog is open; what is sent is the version that the person saw when opening it.
  const [version] = useState(found.version);
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["case", found.id] }),
      queryClient.invalidateQueries({ queryKey: ["cases"] }),
    ]);
  const act = useMutation({
    mutationFn: (name: CaseActionName) =>
      api.act(found.id, { action: name, version, ...(note.trim() === "" ? {} : { note: note.trim() }) }),
    onSuccess: async (_answer, name) => {
      await reload();
      onTold({ tone: "good", title: actionWords[name].title, text: actionWords[name].taken });
    },
    onError: async (error) => {
      if (!(error instanceof ApiProblem) || error.status !== 409) return;
      await reload();
      onTold({ tone: "warn", title: "Nothing was done: the case has moved", text: describeConflict(error) });
    },
  });
  if (action === null) return null;
  const words = actionWords[action];
  const mustType = action === "cancel";
  const isReady = !mustType || typed.trim() === found.orderId;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) act.mutate(action);
  };
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} className="action-form">
        <p>{words.explanation}</p>
        {found.headline === null ? null : <p className="quiet">{found.headline}</p>}
        {mustType ? (
          <TextInput
            label={`Type the order id ${found.orderId} to confirm`}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
        <Textarea
          label="Note"
          description="Why, for whoever reads the case later. Optional."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          {...(mustType ? {} : { "data-autofocus": true })}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {act.isError ? <ErrorNotice problem={act.error} title="Nothing was done" /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            loading={act.isPending}
            disabled={!isReady}
            {...(mustType ? { className: "danger-filled" } : {})}
          >
            {words.confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function describeConflict({ members, message }: ApiProblem): string {
  const state = members["state"];
  if (typeof state !== "string") return message;
  return `It is now “${describeCaseState(state).label}”. This page shows it as it is now; look again before you act.`;
}
