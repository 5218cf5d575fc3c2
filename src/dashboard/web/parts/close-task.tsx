import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import type { TaskRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { describeTaskKind } from "../words/task-words.ts";
import { FormDialog } from "./form-dialog.tsx";

interface CloseTaskProps {
  readonly task: TaskRow;
}

/** Shown only to roles that may close tasks. */
export function CloseTask({ task }: CloseTaskProps) {
  const { user } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (task.closedAt !== null || !isRoleAtLeast(user.role, requiredRoles.closeTasks)) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Mark done: ${describeTaskKind(task.kind).toLowerCase()} of ${task.orderId}`}
        onClick={() => setIsOpen(true)}
      >
        Mark done …
      </Button>
      {isOpen ? <CloseTaskDialog task={task} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CloseTaskDialog({ task, onClose }: CloseTaskProps & { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const close = useMutation({
    mutationFn: () => api.closeTask(task.id, note.trim()),
    onSuccess: async () => {
      await Promise.all(["tasks", "case", "counts"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
      onClose();
    },
  });
  return (
    <FormDialog
      title={`${describeTaskKind(task.kind)} of ${task.orderId}: done`}
      problem={close.error}
      problemTitle="The task was not closed"
      cancelLabel="Back"
      submit={{ label: "Mark as done", isPending: close.isPending }}
      onSubmit={() => close.mutate()}
      onClose={onClose}
    >
      <Textarea
        label="Note"
        description="What was found or done. Optional."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        data-autofocus
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
