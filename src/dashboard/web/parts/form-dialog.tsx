import { Button, Group, Modal } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorNotice } from "./notices.tsx";
import { useOutage } from "./offline-banner.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly size?: "lg";
  readonly children?: ReactNode;
  /** Why the last submit failed. */
  readonly problem: unknown;
  readonly problemTitle: string;
  readonly cancelLabel: "Back" | "Cancel";
  /** Default: `onClose`. */
  readonly onCancel?: () => void;
  readonly submit: {
    readonly label: ReactNode;
    readonly isPending: boolean;
    readonly isDisabled?: boolean;
    readonly isDanger?: boolean;
    readonly hasFocus?: boolean;
  };
  /** Takes the place of the two buttons. */
  readonly footer?: ReactNode;
  /** Not called while the submit button is disabled. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** It stays open after a submit until its owner closes it. */
export function FormDialog({
  title,
  size,
  children,
  problem,
  problemTitle,
  cancelLabel,
  onCancel,
  submit,
  footer,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const isOffline = useOutage() !== null;
  const isDisabled = isOffline || submit.isDisabled === true;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) onSubmit();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": "Close" }}
      {...(size === undefined ? {} : { size })}
    >
      <form className="form" onSubmit={handleSubmit}>
        {children}
        {isOffline ? <p className="quiet">Offline: nothing can be sent now. What you entered stays.</p> : null}
        {problem === null ? null : <ErrorNotice problem={problem} title={problemTitle} />}
        {footer ?? (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel ?? onClose}>
              {cancelLabel}
            </Button>
            <Button
              type="submit"
              loading={submit.isPending}
              disabled={isDisabled}
              {...(submit.isDanger === true ? { className: "danger-filled" } : {})}
              {...(submit.hasFocus === true ? { "data-autofocus": true } : {})}
            >
              {submit.label}
            </Button>
          </Group>
        )}
      </form>
    </Modal>
  );
}
