import { type RedisServer, startRedisServer } from "../harness/redis-server.ts";
import { describeWithRedis } from "../harness/redis-suites.ts";
import { countCosts } from "./costs-suite.ts";

describeWithRedis("with the queue on Redis", () => {
  let redis: RedisServer | undefined;
  countCosts({
    kind: "Redis",
    async start() {
      const server = await startRedisServer();
      redis = server;
      // It does one command after the other.
      return { settings: { QUEUE_URL: server.url }, untilResponds: () => server.command("ping") };
    },
    close: async () => await redis?.close(),
  });
});
