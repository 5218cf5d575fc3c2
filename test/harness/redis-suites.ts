import { describe, test } from "vitest";
import { hasRedisServer, redisBinary, requiresRedis } from "./redis-presence.ts";

/**
 * A suite that needs a `redis-server` on this machine. Without one it is skipped, which `npm test` says at its start;
 * with REQUIRE_REDIS=1 it fails.
 */
export function describeWithRedis(title: string, suite: () => void): void {
  const mustFail = !hasRedisServer() && requiresRedis();
  const declare = hasRedisServer() || mustFail ? describe : describe.skip;
  declare(title, mustFail ? failWithoutRedis : suite);
}

function failWithoutRedis(): void {
  test("has a Redis to run on", () => {
    throw new Error(`REQUIRE_REDIS=1 and there is no ${redisBinary} on the PATH. Install Redis 7.`);
  });
}
