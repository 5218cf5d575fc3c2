import type { QueueTiming } from "../queue/bullmq-backend.ts";
import type { QueueBackend } from "../queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../queue/postgres-backend.ts";
import { createRedisQueueBackend } from "../queue/redis-backend.ts";

/** On Redis at QUEUE_URL, or without it in the database. */
export function openQueueBackend(options: {
  readonly queueUrl: string | undefined;
  readonly databaseUrl: string;
  readonly timing: QueueTiming;
  readonly onError: (error: unknown) => void;
}): QueueBackend {
  const { queueUrl, databaseUrl, timing, onError } = options;
  const applicationName = "skedchange";
  return queueUrl === undefined
    ? createPostgresQueueBackend({ url: databaseUrl, applicationName, timing, onError })
    : createRedisQueueBackend({ url: queueUrl, applicationName, timing, onError });
}
