import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "./copyable.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  /** What it is, for the copy button. */
  readonly what: string;
  readonly secret: string;
  /** That it is not shown again, and what to do with it. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

export function SecretOnce({ title, what, secret, children, onClose }: SecretOnceProps) {
  return (
    <FormDialog
      title={title}
      cancel="Back"
      submit="Done"
      footer={
        <Button type="submit" data-autofocus>
          Done
        </Button>
      }
      onSubmit={onClose}
      onClose={onClose}
    >
      <p>{children}</p>
      <p className="note">
        <code>{secret}</code> <CopyButton value={secret} what={what} />
      </p>
    </FormDialog>
  );
}
