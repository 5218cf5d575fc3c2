import { Alert, Button, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiProblem } from "../api/api-client.ts";

export function Waiting({ label }: { readonly label: string }) {
  return (
    <div className="waiting" role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{label} …</span>
    </div>
  );
}

interface ErrorNoticeProps {
  readonly problem: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** What went wrong, in the server's own words, with its code for whoever is asked for help. */
export function ErrorNotice({ problem, title = "Loading failed", onRetry }: ErrorNoticeProps) {
  return (
    <Notice tone="bad" title={title}>
      <p>{problem instanceof Error ? problem.message : "Something went wrong."}</p>
      {problem instanceof ApiProblem && problem.code !== "unknown" ? (
        <p className="quiet">
          <code>{problem.code}</code>
        </p>
      ) : null}
      {onRetry === undefined ? null : (
        <Button size="xs" variant="default" onClick={onRetry} mt="xs">
          Try again
        </Button>
      )}
    </Notice>
  );
}

interface NoticeProps {
  readonly tone: "good" | "warn" | "bad" | "plain";
  readonly title: string;
  readonly children?: ReactNode;
  readonly onClose?: () => void;
}

/** Told to assistive technology as it appears; what failed is told at once. */
export function Notice({ tone, title, children, onClose }: NoticeProps) {
  return (
    <Alert
      className={`notice tone-${tone}`}
      role={tone === "bad" ? "alert" : "status"}
      title={title}
      variant="default"
      {...(onClose === undefined ? {} : { withCloseButton: true, closeButtonLabel: "Dismiss", onClose })}
    >
      {children}
    </Alert>
  );
}
