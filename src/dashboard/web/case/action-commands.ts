import { useState } from "react";
import { useLocation } from "wouter";
import { type CaseActionName, caseActionNames } from "../../../cases/case-actions.ts";
import { actionOn } from "../api/api-client.ts";
import { useChange } from "../api/hooks.ts";
import type { CaseView } from "../api/responses.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSession } from "../api/session.ts";
import { commandOf } from "../commands/catalogue.ts";
import { type Command, useCommands } from "../commands/commands.tsx";
import { usernameOf } from "../labels/state-words.ts";
import { placeIn, useWorkList } from "../queue/work-list.tsx";
import type { ActionMessage } from "./action-dialog.tsx";
import { actionWords } from "./case-actions.ts";
import { obstacleTo } from "./possible-actions.ts";

interface ActionCommandsProps {
  readonly caseView: CaseView;
  readonly onChoose: (action: CaseActionName, by: "key" | "pointer") => void;
  readonly onMessage: (notice: ActionMessage) => void;
}

/** One command for each action, which opens its dialog, and one that assigns the case to the user at once. */
export function useActionCommands({ caseView, onChoose, onMessage }: ActionCommandsProps): void {
  const { user } = useSession();
  const assign = useAssignToMe(caseView, onMessage);
  const commands = caseActionNames.map((action): [string, Command] => [
    commandOf(action),
    { obstacle: obstacleTo(action, caseView, user.role), run: (by) => onChoose(action, by) },
  ]);
  const isMine = usernameOf(caseView.assignee) === user.username;
  useCommands({
    ...Object.fromEntries(commands),
    "case.assign-me": {
      obstacle: obstacleTo("assign", caseView, user.role) ?? (isMine ? "The case is assigned to you already." : null),
      run: assign,
    },
  });
}

function useAssignToMe(caseView: CaseView, onMessage: ActionCommandsProps["onMessage"]) {
  const { user } = useSession();
  const { id, version, assignee } = caseView;
  const act = useChange("POST /cases/{id}/actions");
  return (): void =>
    act.mutate(actionOn(id, { action: "assign", assignee: user.username, version }), {
      onSuccess: () => {
        const before = usernameOf(assignee);
        const undo = before === null ? "Shift A unassigns it." : `It was assigned to ${before}; Shift A changes it.`;
        onMessage({ tone: "good", title: "Assigned to you", text: undo });
      },
      onError: (error) => {
        const text = error instanceof ApiProblem ? error.message : "Something went wrong.";
        onMessage({ tone: "warn", title: "The case was not assigned", text });
      },
    });
}

/** After these, nobody has to act on the case for the time being, so that the next one can be shown. */
const decisions: readonly (CaseActionName | null)[] = [
  "accept",
  "cancel",
  "reschedule",
  "resolved-elsewhere",
  "close",
  "snooze",
  "traveller-asked",
];

/** A decision by key leads to the next case of the list. Who uses the mouse stays and sees the result. */
export function useLeaving(caseView: CaseView, chosen: CaseActionName | null) {
  const [byKey, setByKey] = useState(false);
  const { list, setDone } = useWorkList();
  const [, navigate] = useLocation();
  const { next } = placeIn(list, caseView.id);
  return {
    isLeaving: byKey && next !== null && decisions.includes(chosen),
    setByKey,
    leave({ title, text = "", tone }: ActionMessage): void {
      const undo = chosen === null ? "" : actionWords[chosen].undo;
      setDone({ caseId: caseView.id, orderId: caseView.orderId, title, text: `${text} ${undo ?? ""}`.trim(), tone });
      navigate(`/cases/${next}`);
    },
  };
}
