import { Button, Group, Modal } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useOutage } from "../shell/offline-banner.tsx";
import { ErrorCallout } from "./callouts.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly size?: "lg";
  readonly children?: ReactNode;
  /** What submitting does. Not given: nothing is sent. */
  readonly change?: { readonly isPending: boolean; readonly error: unknown };
  /** The title of why the change failed. */
  readonly failed?: string;
  readonly cancel?: "Back" | "Cancel";
  /** Default: `onClose`. */
  readonly onCancel?: () => void;
  /** On the button. */
  readonly submit: string;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  /** Whether the button has the focus first. */
  readonly hasFocus?: boolean;
  /** Takes the place of the two buttons. */
  readonly footer?: ReactNode;
  /** Not called while the submit button is disabled. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

const nothingSent = { isPending: false, error: null };

/** It stays open after a submit until its owner closes it. */
export function FormDialog({
  title,
  size,
  children,
  change = nothingSent,
  failed = "",
  cancel = "Cancel",
  onCancel,
  submit,
  isDisabled = false,
  isDanger = false,
  hasFocus = false,
  footer,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const isOffline = useOutage() !== null;
  const isBarred = isOffline || isDisabled;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBarred) onSubmit();
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
        {change.error === null ? null : <ErrorCallout problem={change.error} title={failed} />}
        {footer ?? (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel ?? onClose}>
              {cancel}
            </Button>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={isBarred}
              {...(isDanger ? { className: "danger-filled" } : {})}
              {...(hasFocus ? { "data-autofocus": true } : {})}
            >
              {submit}
            </Button>
          </Group>
        )}
      </form>
    </Modal>
  );
}
