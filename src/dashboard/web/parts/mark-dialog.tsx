import { NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/api-client.ts";
import { memberKeys } from "../api/member-keys.ts";
import { describePreview } from "../words/member-words.ts";
import { FormDialog } from "./form-dialog.tsx";
import { NoteField } from "./note-field.tsx";
import { ErrorNotice, Loading } from "./notices.tsx";

export interface AskedMark {
  readonly kind: "mark" | "withdraw";
  /** Of which one is chosen. */
  readonly paths: readonly string[];
  /** Empty: the path and all below it. */
  readonly valueDigests: readonly string[];
}

interface MarkDialogProps {
  readonly source: string;
  /** Of the marks that were shown, so that nothing that somebody else marked meanwhile is overwritten. */
  readonly number: number;
  readonly asked: AskedMark;
  readonly onClose: () => void;
}

/** Shows what a mark does to the cases that wait, and then makes or withdraws it. */
export function MarkDialog({ source, number, asked, onClose }: MarkDialogProps) {
  const queryClient = useQueryClient();
  const [path, setPath] = useState(asked.paths[0] ?? "");
  const [reason, setReason] = useState("");
  const isMark = asked.kind === "mark";
  const mark = { path, valueDigests: [...asked.valueDigests], replaces: number };
  const preview = useQuery({
    queryKey: [...memberKeys.of(source), "preview", mark],
    // The dry run takes a reason as the mark itself does, and keeps none.
    queryFn: () => api.previewMark(source, { ...mark, reason: "Dry run" }),
    enabled: isMark,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: () => (isMark ? api.markMember : api.withdrawMark)(source, { ...mark, reason: reason.trim() }),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: memberKeys.all }),
  });
  const isPreviewed = !isMark || preview.data !== undefined;
  return (
    <FormDialog
      title={isMark ? "Mark as harmless" : "Withdraw the mark"}
      problem={change.error}
      problemTitle="Nothing was changed"
      cancelLabel="Cancel"
      submit={{
        label: isMark ? "Mark as harmless" : "Withdraw",
        isPending: change.isPending,
        isDisabled: reason.trim() === "" || !isPreviewed,
      }}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {asked.paths.length < 2 ? (
        <p>
          <code>{path}</code>
        </p>
      ) : (
        <NativeSelect
          label="Path"
          description="Everything below it is harmless too, except for codes and orders to stop."
          data={[...asked.paths]}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
      )}
      {isMark ? (
        <div aria-live="polite">
          {preview.isError ? <ErrorNotice problem={preview.error} title="This cannot be marked" /> : null}
          {preview.isPending ? <Loading label="Trying the cases that wait" /> : null}
          {preview.data !== undefined && "waiting" in preview.data
            ? describePreview(preview.data).map((sentence) => <p key={sentence}>{sentence}</p>)
            : null}
        </div>
      ) : (
        <p>From now on it stops automatic actions again. Orders that were accepted meanwhile stay accepted.</p>
      )}
      <NoteField
        label="Reason"
        description="Why it is harmless, or no longer is. Stored for the history and the audit."
        required
        isFocusedFirst
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
