import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/api-client.ts";
import type { TaskRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { describeTaskKind } from "../words/task-words.ts";
import { AssigneePicker } from "./assignee-picker.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { NoteField } from "./note-field.tsx";

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
  const close = useTaskChange(() => api.closeTasks(idsOf(tasks), note.trim()), onClose);
  return (
    <FormDialog
      title={`${describe(tasks)}: done`}
      problem={close.error}
      problemTitle="Nothing was closed"
      cancelLabel="Back"
      submit={{ label: "Mark as done", isPending: close.isPending }}
      onSubmit={() => close.mutate()}
      onClose={onClose}
    >
      <NoteField description="What was found or done. Optional." isFocusedFirst value={note} onChange={setNote} />
    </FormDialog>
  );
}

function AssignTasks({ tasks, onClose }: TasksDialogProps) {
  const { user } = useSession();
  const [assignee, setAssignee] = useState(user.username);
  const assign = useTaskChange((to: string) => api.assignTasks(idsOf(tasks), to === "" ? null : to), onClose);
  const sources = [...new Set(tasks.map(({ source }) => source))];
  return (
    <FormDialog
      title={`Assign ${describe(tasks)}`}
      problem={assign.error}
      problemTitle="Nothing was assigned"
      cancelLabel="Back"
      submit={{ label: "Assign", isPending: assign.isPending }}
      onSubmit={() => assign.mutate(assignee)}
      onClose={onClose}
    >
      <AssigneePicker
        source={sources.length === 1 ? (sources[0] ?? null) : null}
        value={assignee}
        onChange={setAssignee}
        onEnter={assign.mutate}
      />
    </FormDialog>
  );
}

function useTaskChange<Given = void>(change: (given: Given) => Promise<unknown>, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      const keys = ["tasks", "case", "counts", "assignees"];
      await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
      onDone();
    },
  });
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
