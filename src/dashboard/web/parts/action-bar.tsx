import { useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { commandOf } from "../commands/catalogue.ts";
import { CommandButton } from "../commands/command-button.tsx";
import { actionWords } from "../words/case-actions.ts";
import { possibleActions } from "../words/possible-actions.ts";
import { useActionCommands, useLeaving } from "./action-commands.ts";
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
  const { leave, isLeaving, setByKey } = useLeaving(caseView, chosen);
  useActionCommands({
    caseView,
    onChoose: (action, by) => {
      setByKey(by === "key");
      setChosen(action);
    },
    onNotice: setNotice,
  });
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
                    <ActionButton key={possible.action} action={possible.action} />
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
          isLeaving={isLeaving}
          onClose={() => setChosen(null)}
          onDone={(message) => {
            setChosen(null);
            if (isLeaving) leave(message);
            else setNotice(message);
          }}
        />
      )}
    </div>
  );
}

function ActionButton({ action }: { readonly action: CaseActionName }) {
  const { look, button } = actionWords[action];
  return (
    <CommandButton
      command={commandOf(action)}
      variant={look === "filled" ? "filled" : look === "danger" ? "outline" : "default"}
      {...(look === "danger" ? { className: "danger" } : {})}
    >
      {button}
    </CommandButton>
  );
}
