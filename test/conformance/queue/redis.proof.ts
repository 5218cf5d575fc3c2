import { createRedisQueueBackend } from "../../../src/queue/redis-backend.ts";
import { startRedisCluster, startRedisServer } from "../../harness/redis-server.ts";
import { describeWithRedis } from "../../harness/redis-suites.ts";
import { describeQueueBackend, type QueueSite } from "./queue-backend-suite.ts";

describeWithRedis("on a server", () => {
  describeQueueBackend("Redis", async () => {
    const server = await startRedisServer();
    return siteAt(server.url, {
      wipe: async () => void (await server.command("flushall")),
      close: () => server.close(),
    });
  });
});

describeWithRedis("on three nodes", () => {
  describeQueueBackend("Redis Cluster", async () => {
    const cluster = await startRedisCluster();
    return siteAt(cluster.url, {
      wipe: async () => void (await Promise.all(cluster.nodes.map((node) => node.command("flushall")))),
      close: () => cluster.close(),
    });
  });
});

function siteAt(url: string, ends: Pick<QueueSite, "wipe" | "close">): QueueSite {
  return {
    openBackend: (options) => createRedisQueueBackend({ url, applicationName: "queue conformance", ...options }),
    worker: { kind: "redis", url },
    ...ends,
  };
}
