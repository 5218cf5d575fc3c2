import { useState } from "react";
import { useChange } from "../api/hooks.ts";
import type { TaskRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { AssigneePicker } from "../components/assignee-picker.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { NoteField } from "../components/note-field.tsx";
import { describeTaskKind } from "./task-words.ts";

export type TaskDialogName = "close" | "assign";

/** Asks what a change of tasks needs, and does it. */
export function TaskDialog({ name, ...props }: TasksDialogProps & { readonly name: TaskDialogName }) {
  return name === "close" ? <CloseTasks {...props} /> : <AssignTasks {...props} />;
}

interface TasksDialogProps {
  readonly tasks: readonly TaskRow[];
  readonly onClose: () => void;
}

function CloseTasks({ tasks, onClose }: TasksDialogProps) {
  const [note, setNote] = useState("");
  const close = useChange("POST /tasks/close", onClose);
  return (
    <FormDialog
      title={`${describe(tasks)}: done`}
      change={close}
      failed="Nothing was closed"
      cancel="Back"
      submit="Mark as done"
      onSubmit={() =>
        close.mutate({ body: { ids: idsOf(tasks), ...(note.trim() === "" ? {} : { note: note.trim() }) } })
      }
      onClose={onClose}
    >
      <NoteField description="What was found or done. Optional." isFocusedFirst value={note} onChange={setNote} />
    </FormDialog>
  );
}

function AssignTasks({ tasks, onClose }: TasksDialogProps) {
  const { user } = useSession();
  const [assignee, setAssignee] = useState(user.username);
  const change = useChange("POST /tasks/assign", onClose);
  const assign = (to: string): void => change.mutate({ body: { ids: idsOf(tasks), assignee: to === "" ? null : to } });
  const sources = [...new Set(tasks.map(({ source }) => source))];
  return (
    <FormDialog
      title={`Assign ${describe(tasks)}`}
      change={change}
      failed="Nothing was assigned"
      cancel="Back"
      submit="Assign"
      onSubmit={() => assign(assignee)}
      onClose={onClose}
    >
      <AssigneePicker
        source={sources.length === 1 ? (sources[0] ?? null) : null}
        value={assignee}
        onChange={setAssignee}
        onEnter={assign}
      />
    </FormDialog>
  );
}

function idsOf(tasks: readonly TaskRow[]): string[] {
  return tasks.map(({ id }) => id);
}

function describe(tasks: readonly TaskRow[]): string {
  const [first] = tasks;
  return tasks.length === 1 && first !== undefined
    ? `${describeTaskKind(first.kind)} of ${first.orderId}`
    : `${tasks.length} tasks`;
}
