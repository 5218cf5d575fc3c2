import { Alert, Button, Loader, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiProblem } from "../api/send-request.ts";

export function Loading({ label }: { readonly label: string }) {
  return (
    <div className="waiting" role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{label} …</span>
    </div>
  );
}

/** In the place of a table. */
export function LoadingRows({ label }: { readonly label: string }) {
  return (
    <div className="table-box loading" role="status" aria-label={label}>
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <Skeleton key={key} height={44} mb={8} />
      ))}
    </div>
  );
}

interface ErrorCalloutProps {
  readonly problem: unknown;
  /** Not shown if the outcome is unknown, because it says that something was not done. */
  readonly title?: string;
  readonly children?: ReactNode;
  readonly onRetry?: () => void;
  readonly onClose?: () => void;
}

/** Shows the server's message, with its code for whoever is asked for help. */
export function ErrorCallout({ problem, title = "Loading failed", children, onRetry, onClose }: ErrorCalloutProps) {
  const isOutcomeUnknown = problem instanceof ApiProblem && problem.isOutcomeUnknown;
  return (
    <Callout
      tone="bad"
      title={isOutcomeUnknown ? "The outcome is unknown" : title}
      {...(onClose === undefined ? {} : { onClose })}
    >
      <p>{problem instanceof Error ? problem.message : "Something went wrong."}</p>
      {problem instanceof ApiProblem && problem.code !== "unknown" ? (
        <p className="quiet">
          <code>{problem.code}</code>
        </p>
      ) : null}
      {children}
      {onRetry === undefined ? null : (
        <Button size="xs" variant="default" onClick={onRetry} mt="xs">
          Try again
        </Button>
      )}
    </Callout>
  );
}

interface CalloutProps {
  readonly tone: "good" | "warn" | "bad" | "plain";
  readonly title: string;
  readonly children?: ReactNode;
  readonly onClose?: () => void;
}

/** Assistive technology announces it when it appears, and interrupts for a failure. */
export function Callout({ tone, title, children, onClose }: CalloutProps) {
  return (
    <Alert
      className={`callout tone-${tone}`}
      role={tone === "bad" ? "alert" : "status"}
      title={title}
      variant="default"
      {...(onClose === undefined ? {} : { withCloseButton: true, closeButtonLabel: "Dismiss", onClose })}
    >
      {children}
    </Alert>
  );
}
