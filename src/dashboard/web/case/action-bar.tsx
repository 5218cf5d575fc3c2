import { Button, Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Fragment, useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { catalogue, commandOf } from "../commands/catalogue.ts";
import { CommandButton } from "../commands/command-button.tsx";
import { KeysShown } from "../commands/keys-shown.tsx";
import { Callout } from "../components/callouts.tsx";
import { useActionCommands, useLeaving } from "./action-commands.ts";
import { ActionDialog, type ActionMessage } from "./action-dialog.tsx";
import { ApprovalCallout } from "./approval-callout.tsx";
import { actionWords } from "./case-actions.ts";
import type { ActionGroup } from "./possible-actions.ts";
import { arrangeActions } from "./recommended-action.ts";
import { UndoCallout } from "./undo-callout.tsx";
import "./action-bar.css";

/** The main actions on the case, and the others under "More" with the reasons why some are not possible now. */
export function ActionBar({ caseView }: { readonly caseView: CaseView }) {
  const { user } = useSession();
  const [chosen, setChosen] = useState<CaseActionName | null>(null);
  const [message, setMessage] = useState<ActionMessage | null>(null);
  const isNarrow = useMediaQuery("(max-width: 640px)");
  const { main, recommended, more } = arrangeActions(caseView, user.role, isNarrow ? 1 : 3);
  const obstacle = more.flatMap(({ actions }) => actions).find(({ action }) => action === "accept")?.obstacle ?? null;
  const { leave, isLeaving, setByKey } = useLeaving(caseView, chosen);
  useActionCommands({
    caseView,
    onChoose: (action, by) => {
      setByKey(by === "key");
      setChosen(action);
    },
    onMessage: setMessage,
  });
  return (
    <div className="actions" data-testid="actions">
      {message === null || (message.isRequest === true && !isWorkedOn(caseView)) ? null : (
        <Callout tone={message.tone} title={message.title} onClose={() => setMessage(null)}>
          {message.text}
        </Callout>
      )}
      <UndoCallout caseView={caseView} onChoose={setChosen} />
      <ApprovalCallout caseView={caseView} onChoose={setChosen} />
      {main.length + more.length === 0 ? null : (
        <section aria-label="Actions" className="main-actions">
          {main.map((action) => (
            <ActionButton key={action} action={action} isPrimary={action === recommended} />
          ))}
          {more.length === 0 ? null : <MoreActions groups={more} onChoose={setChosen} />}
          {obstacle === null ? null : <p className="quiet">{obstacle}</p>}
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
            else setMessage(message);
          }}
        />
      )}
    </div>
  );
}

/** What was asked of the workers is still ahead of them. */
function isWorkedOn({ state, effects }: CaseView): boolean {
  return (
    ["checking", "accepting", "cancelling"].includes(state) && effects.every((effect) => effect.state !== "unknown")
  );
}

interface ActionButtonProps {
  readonly action: CaseActionName;
  readonly isPrimary: boolean;
}

/** What cannot be undone is never the filled button. */
function ActionButton({ action, isPrimary }: ActionButtonProps) {
  const { look, button } = actionWords[action];
  const isDanger = look === "danger";
  return (
    <CommandButton
      command={commandOf(action)}
      variant={isDanger ? "outline" : isPrimary ? "filled" : "default"}
      className={[isPrimary ? "recommended" : "", isDanger ? "danger" : ""].join(" ")}
    >
      {button}
    </CommandButton>
  );
}

interface MoreActionsProps {
  readonly groups: readonly ActionGroup[];
  readonly onChoose: (action: CaseActionName) => void;
}

function MoreActions({ groups, onChoose }: MoreActionsProps) {
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default">More</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map(({ title, actions }) => (
          <Fragment key={title}>
            <Menu.Label>{title}</Menu.Label>
            {actions.map(({ action, obstacle }) => (
              <Menu.Item
                key={action}
                disabled={obstacle !== null}
                title={actionWords[action].title}
                {...(actionWords[action].look === "danger" ? { className: "danger" } : {})}
                rightSection={
                  <span aria-hidden="true">
                    <KeysShown keys={catalogue[commandOf(action)].keys ?? []} />
                  </span>
                }
                onClick={() => onChoose(action)}
              >
                {actionWords[action].button}
                {obstacle === null ? null : <div className="obstacle">{obstacle}</div>}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
