import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useChange, useRead } from "../api/hooks.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { NoteField } from "../components/note-field.tsx";
import { describePreview } from "./member-words.ts";

export interface AskedMark {
  readonly kind: "mark" | "withdraw";
  /** The paths of which one is chosen. */
  readonly paths: readonly string[];
  /** Empty: the path and all below it. */
  readonly valueDigests: readonly string[];
}

interface MarkDialogProps {
  readonly source: string;
  /** The number of the marks that were shown: the server refuses if somebody else has marked something meanwhile. */
  readonly number: number;
  readonly asked: AskedMark;
  readonly onClose: () => void;
}

/** Shows what a mark does to the cases that wait, and then makes or withdraws it. */
export function MarkDialog({ source, number, asked, onClose }: MarkDialogProps) {
  const [path, setPath] = useState(asked.paths[0] ?? "");
  const [reason, setReason] = useState("");
  const isMark = asked.kind === "mark";
  const mark = { path, valueDigests: [...asked.valueDigests], replaces: number };
  const preview = useRead(
    "POST /members/{source}/marks",
    // The dry run takes a reason as the mark itself does, and keeps none.
    { params: { source }, body: { ...mark, reason: "Dry run", dryRun: true } },
    { enabled: isMark, gcTime: 0 },
  );
  const make = useChange("POST /members/{source}/marks", onClose);
  const withdraw = useChange("POST /members/{source}/marks/withdraw", onClose);
  const change = isMark ? make : withdraw;
  const isPreviewed = !isMark || preview.data !== undefined;
  return (
    <FormDialog
      title={isMark ? "Mark as harmless" : "Withdraw the mark"}
      change={change}
      failed="Nothing was changed"
      submit={isMark ? "Mark as harmless" : "Withdraw"}
      isDisabled={reason.trim() === "" || !isPreviewed}
      onSubmit={() => change.mutate({ params: { source }, body: { ...mark, reason: reason.trim() } })}
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
          {preview.isError ? <ErrorCallout problem={preview.error} title="This cannot be marked" /> : null}
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
