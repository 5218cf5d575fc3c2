import type { Problem } from "../http/problem-document.ts";
import { codeOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { newId } from "../kernel/ids.ts";
import type { Logger } from "../telemetry/logger.ts";
import { during, type Tracer } from "../telemetry/tracing.ts";
import { type ArrivedBody, type BodyVerdict, judgeBody } from "./judge-body.ts";
import type { KnownSource } from "./known-sources.ts";
import type { NotificationWriter, Recorded } from "./notification-writer.ts";
import type { OrderReader } from "./order-reader.ts";
import type { IncomingNotification, NotificationProblem } from "./ports.ts";
import type { Push, PushResponse } from "./push.ts";
import { acceptedEncodings, readEncoding } from "./read-body.ts";
import { describeProblem, isReceiverError, receiverErrors } from "./receiver-problems.ts";

export interface RecordContext {
  readonly writer: NotificationWriter;
  readonly orderReader: OrderReader;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

/** Finds the orders of a body and commits it, in quarantine if it is no usable notification. */
export async function recordPush(
  { request, span }: Push,
  source: KnownSource,
  arrived: ArrivedBody,
  context: RecordContext,
): Promise<PushResponse> {
  const { clock, tracer } = context;
  const contentType = request.headers["content-type"];
  const isEncodingKnown = readEncoding(request.headers["content-encoding"]) !== null;
  const judged = await judgeBody(arrived, { contentType, isEncodingKnown }, (body) => findOrders(body, context));
  const traceparent = span?.traceparent ?? null;
  const notification = {
    id: newId(clock),
    source: source.name,
    receivedAt: clock.now(),
    digest: digestOfBytes(judged.body),
    contentType: contentType ?? null,
    traceparent,
    ...judged,
  };
  const { recorded, problem } = await during(tracer.start("store notification", { parent: traceparent }), () =>
    writeOrQuarantine(context.writer, notification),
  );
  const fields = {
    notificationId: recorded.notificationId,
    receipts: recorded.receipts,
    orderIds: judged.orders.map(({ orderId }) => orderId),
    bodyBytes: judged.body.length,
  };
  if (problem === null) {
    return { outcome: recorded.receipts === 1 ? "new" : "repeated", problem: null, fields };
  }
  return {
    outcome: "quarantined",
    problem: source.acknowledgeUnusable ? null : describeUnusable(problem, recorded.notificationId),
    ...(problem.code === receiverErrors.unsupportedContentEncoding && {
      headers: { "Accept-Encoding": acceptedEncodings },
    }),
    fields: { ...fields, code: problem.code, path: problem.path },
  };
}

async function findOrders(
  body: Buffer,
  { orderReader, logger }: Pick<RecordContext, "orderReader" | "logger">,
): Promise<BodyVerdict> {
  try {
    const reading = await orderReader.read(body);
    return reading.ok ? { problem: null, orders: reading.orders } : { problem: reading.problem, orders: [] };
  } catch (error) {
    // Only a fault of ours gets here; the body is stored as evidence.
    logger.error({ error }, "notification.unreadable");
    const { problem } = describeProblem(receiverErrors.bodyNotReadable);
    return { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
  }
}

/** If the database refuses the content, quarantines the bytes, so that no notification is lost. */
async function writeOrQuarantine(
  writer: NotificationWriter,
  notification: Omit<IncomingNotification, "copies">,
): Promise<{ readonly recorded: Recorded; readonly problem: NotificationProblem | null }> {
  try {
    return { recorded: await writer.write(notification), problem: notification.problem };
  } catch (error) {
    if (codeOf(error) !== receiverErrors.notRecorded || notification.orders.length === 0) throw error;
    const { code, detail } = describeProblem(receiverErrors.notStorable).problem;
    const problem = { code, path: "", message: detail };
    return { recorded: await writer.write({ ...notification, problem, orders: [] }), problem };
  }
}

function describeUnusable({ code, path, message }: NotificationProblem, notificationId: string): Problem {
  const isJson = code !== "ocn.not_json";
  return {
    status: isJson ? 422 : 400,
    code,
    title: isJson ? "No usable notification" : "Not JSON",
    ...(isReceiverError(code) ? describeProblem(code).problem : {}),
    detail: `${message} It is kept in quarantine.`,
    extensions: { path, notificationId },
  };
}
