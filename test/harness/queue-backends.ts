import { describe } from "vitest";
import { type RedisServer, startRedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./redis-suites.ts";

/** The place of the queue in a story that must come out the same on each. */
export interface QueueUnderTest {
  readonly kind: "PostgreSQL" | "Redis";
  /** Starts what it needs. @returns the settings that a server process is given for it. */
  start(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** The same suite for the queue on PostgreSQL and on Redis. */
export function describeOnEachQueue(title: string, suite: (queue: QueueUnderTest) => void): void {
  describe(`${title}, with the queue on PostgreSQL`, () => {
    suite({ kind: "PostgreSQL", start: async () => ({}), close: async () => undefined });
  });

  let redis: RedisServer | undefined;
  describeWithRedis(`${title}, with the queue on Redis`, () => {
    suite({
      kind: "Redis",
      async start() {
        redis = await startRedisServer();
        return { QUEUE_URL: redis.url };
      },
      close: async () => redis?.close(),
    });
  });
}
