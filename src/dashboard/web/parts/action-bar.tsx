import { Button } from "@mantine/core";
import { useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { actionWords } from "../words/case-actions.ts";
import { type PossibleAction, possibleActions } from "../words/possible-actions.ts";
import { ActionDialog, type ActionNotice } from "./action-dialog.tsx";
import { ApprovalNotice } from "./approval-notice.tsx";
import { Notice } from "./notices.tsx";
import { UndoNotice } from "./undo-notice.tsx";

/** The actions on the case, with the reasons why some are not possible now. */
export function ActionBar({ caseView }: { readonly caseView: CaseView }) {
  const { user } = useSession();
  const [chosen, setChosen] = useState<CaseActionName | null>(null);
  const [notice, setNotice] = useState<ActionNotice | null>(null);
  const groups = possibleActions(caseView, user.role);
  const obstacles = new Set(groups.flatMap(({ actions }) => actions.map(({ obstacle }) => obstacle)));
  return (
    <div className="actions" data-testid="actions">
      {notice === null ? null : (
        <Notice tone={notice.tone} title={notice.title} onClose={() => setNotice(null)}>
          {notice.text}
        </Notice>
      )}
      <UndoNotice caseView={caseView} onChoose={setChosen} />
      <ApprovalNotice caseView={caseView} onChoose={setChosen} />
      {groups.length === 0 ? null : (
        <section aria-label="Actions" className="action-panel">
          <div className="action-groups">
            {groups.map(({ title, actions }) => (
              <div key={title} role="group" aria-label={title} className="action-group">
                <span className="quiet" aria-hidden="true">
                  {title}
                </span>
                <div className="action-buttons">
                  {actions.map((possible) => (
                    <ActionButton key={possible.action} possible={possible} onChoose={setChosen} />
                  ))}
                </div>
              </div>
            ))}
          </div>
          {[...obstacles].map((obstacle) =>
            obstacle === null ? null : (
              <p key={obstacle} className="quiet">
                {obstacle}
              </p>
            ),
          )}
        </section>
      )}
      {chosen === null ? null : (
        <ActionDialog
          key={chosen}
          caseView={caseView}
          action={chosen}
          onClose={() => setChosen(null)}
          onDone={(message) => {
            setChosen(null);
            setNotice(message);
          }}
        />
      )}
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
      size="sm"
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
