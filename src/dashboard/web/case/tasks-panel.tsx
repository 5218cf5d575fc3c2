import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { CaseView, TaskRow } from "../api/responses.ts";
import { useMay, useSession } from "../api/session.ts";
import { DueByWithRule } from "../components/due-by.tsx";
import { useNow, When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { TaskDialog, type TaskDialogName } from "../tasks/task-dialogs.tsx";
import { describeTaskKind, leftToSystem, taskVerb } from "../tasks/task-words.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { canAct } from "./possible-actions.ts";

export function TasksPanel({ caseView }: { readonly caseView: CaseView }) {
  const now = useNow();
  const [asked, setAsked] = useState<{ readonly dialog: TaskDialogName; readonly task: TaskRow } | null>(null);
  const [isInforming, setIsInforming] = useState(false);
  const mayChange = useMay("closeTasks");
  const mayInform = canAct("traveller-informed", caseView, useSession().user.role);
  const endInforming = (): void => setIsInforming(false);
  if (caseView.tasks.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      <ul className="records">
        {caseView.tasks.map((task) => (
          <li key={task.id}>
            <div>
              <strong>{describeTaskKind(task.kind)}</strong>{" "}
              {task.closedAt === null ? (
                <span className="badge tone-warn">Open</span>
              ) : (
                <span className="badge tone-good">Done</span>
              )}{" "}
              {task.closedAt !== null || task.dueBy === null ? null : (
                <DueByWithRule dueBy={task.dueBy} now={now} verb={taskVerb(task.kind)} />
              )}
              {task.reasons.map(({ code, text }) => (
                <div key={code + text}>{text}</div>
              ))}
              {task.byEvent && task.closedAt === null ? <div className="quiet">{leftToSystem}</div> : null}
              {task.assignee === null || task.closedAt !== null ? null : (
                <div className="quiet">Assigned to {describeActor(task.assignee)}</div>
              )}
              {task.closedAt === null ? null : (
                <div className="quiet">
                  by {describeActor(task.closedBy ?? "", task.closedToken)}, <When at={task.closedAt} />
                </div>
              )}
              {task.note === null ? null : <blockquote className="note">{task.note}</blockquote>}
            </div>
            {task.closedAt === null && mayChange ? (
              <Group gap="xs">
                {task.kind === "inform-traveller" && mayInform ? (
                  <Button size="compact-sm" onClick={() => setIsInforming(true)}>
                    Mark informed …
                  </Button>
                ) : null}
                <Button size="compact-sm" variant="default" onClick={() => setAsked({ dialog: "close", task })}>
                  Mark done …
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => setAsked({ dialog: "assign", task })}>
                  Assign …
                </Button>
              </Group>
            ) : null}
          </li>
        ))}
      </ul>
      {isInforming ? (
        <ActionDialog caseView={caseView} action="traveller-informed" onClose={endInforming} onDone={endInforming} />
      ) : null}
      {asked === null ? null : <TaskDialog name={asked.dialog} tasks={[asked.task]} onClose={() => setAsked(null)} />}
    </section>
  );
}
