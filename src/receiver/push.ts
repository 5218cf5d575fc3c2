import type { Request, Response } from "express";
import type { Problem } from "../http/problem-document.ts";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { tooManyCandidates } from "../kernel/check-queue.ts";
import type { Span } from "../telemetry/tracing.ts";
import { describeProblem, isReceiverError, type ReceiverErrorCode, receiverErrors } from "./receiver-problems.ts";

/** A request of a gateway, on its way through the stages of the receiver. */
export interface Push {
  readonly request: Request;
  readonly response: Response;
  readonly startedAt: Date;
  /** Null until the sender is authenticated. */
  span: Span | null;
}

export interface PushResponse {
  /** For metrics: `new`, `repeated`, `quarantined`, or the problem's code. */
  readonly outcome: string;
  /** Null acknowledges. */
  readonly problem: Problem | null;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** For the log, and some for the trace. */
  readonly fields?: {
    readonly notificationId?: string;
    readonly orderIds?: readonly string[];
    readonly bodyBytes?: number;
    readonly [name: string]: unknown;
  };
  readonly error?: unknown;
}

/** What a stage ends with if the push goes no further. */
export interface Refused {
  readonly outcome: "refused";
  readonly response: PushResponse;
}

export function refuse(
  code: ReceiverErrorCode,
  more: Pick<PushResponse, "headers" | "fields" | "error"> & {
    readonly extensions?: Readonly<Record<string, unknown>>;
  } = {},
): Refused {
  const { extensions, headers, ...rest } = more;
  const described = describeProblem(code, extensions);
  const response = {
    outcome: code,
    problem: described.problem,
    headers: { ...described.headers, ...headers },
    ...rest,
  };
  return { outcome: "refused", response };
}

export function refuseStopping(fields: PushResponse["fields"] = {}): Refused {
  return refuse(receiverErrors.stopping, { fields, headers: { Connection: "close" } });
}

export function refuseError(error: unknown): Refused {
  const code = codeOf(error);
  if (code === tooManyCandidates) return refuse(receiverErrors.tooManyCredentials);
  if (error instanceof AppError && isReceiverError(code)) return refuse(code, { error });
  return refuse(receiverErrors.unexpected, { error });
}
