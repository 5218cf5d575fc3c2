import type { CaseView } from "../api/responses.ts";
import { describeActor } from "../words/state-words.ts";
import { describeTaskKind } from "../words/task-words.ts";
import { CloseTask } from "./close-task.tsx";
import { DueByWithRule } from "./due-by.tsx";
import { useNow, When } from "./when.tsx";

export function TasksPanel({ caseView }: { readonly caseView: CaseView }) {
  const now = useNow();
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
                <DueByWithRule dueBy={task.dueBy} now={now} verb="check" />
              )}
              {task.reasons.map(({ code, text }) => (
                <div key={code + text}>{text}</div>
              ))}
              {task.closedAt === null ? null : (
                <div className="quiet">
                  by {describeActor(task.closedBy ?? "")}, <When at={task.closedAt} />
                </div>
              )}
              {task.note === null ? null : <blockquote className="note">{task.note}</blockquote>}
            </div>
            <CloseTask task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}
