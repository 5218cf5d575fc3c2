import pg from "pg";
import { hasRedisServer } from "../../test/harness/redis-presence.ts";
import { startRedisServer } from "../../test/harness/redis-server.ts";
import type { Contender, Target } from "../benchmark.ts";
import { startDatabaseServer } from "../database.ts";
import { installPeers, packagesOfPeers } from "../peers/install.ts";
import { type Programs, startProcess } from "../remote-process.ts";
import type { StopList } from "../stop-list.ts";
import { type DecideParts, pushedContender } from "./contenders.ts";
import { createCostMeter } from "./cost-meter.ts";
import type { PeerCalls } from "./peer-endpoint.ts";

const peers = {
  dbos: {
    name: "DBOS Transact",
    program: "bench/decide/dbos-process",
    description: "A workflow for each order in PostgreSQL, with its four responses. A crash may repeat an accept.",
    needsRedis: false,
  },
  graphile: {
    name: "graphile-worker",
    program: "bench/decide/graphile-process",
    description: "A job for each order in PostgreSQL. Stores nothing of what it did. A crash may repeat an accept.",
    needsRedis: false,
  },
  bullmqRows: {
    name: "BullMQ on Redis with rows",
    program: "bench/decide/bullmq-rows-process",
    description:
      "A job on Redis, a row for each decision and effect in PostgreSQL. No lease, encryption, law, policy, audit.",
    needsRedis: true,
  },
} as const;

export const peersOnRedis: readonly string[] = Object.values(peers).flatMap(({ name, needsRedis }) =>
  needsRedis ? [name] : [],
);

export const aboutPeers =
  "Peers: a bare HTTP endpoint in the same process puts each notification into the queue, with its body, before it acknowledges. Their PostgreSQL, which each has to itself in its turn, syncs every commit.";

/** What the product is to reach beside peers with so many orders at a time. Those that do not run are left out. */
export function targetsBesidePeers(subject: string, atOnce: number): readonly Target[] {
  const isMany = atOnce >= 32;
  return [
    { subject, comparedWith: peers.bullmqRows.name, atLeast: isMany ? null : 0.7, aim: isMany ? 1 : null },
    { subject, comparedWith: peers.dbos.name, atLeast: isMany ? 1.8 : null, aim: null },
    { subject, comparedWith: peers.graphile.name, atLeast: null, aim: null },
  ];
}

/** Installs programs that others use for such work, and starts one worker of each. */
export async function startPeers(
  programs: Programs,
  parts: DecideParts,
  stops: StopList,
): Promise<readonly Contender[]> {
  installPeers();
  const server = await startDatabaseServer();
  stops.add(server.stop);
  const contenders: Contender[] = [];
  for (const [kind, { name, program, description, needsRedis }] of Object.entries(peers)) {
    if (needsRedis && !hasRedisServer()) continue;
    const redis = needsRedis ? await startRedisServer() : null;
    if (redis !== null) stops.add(redis.close);
    const databaseUrl = await server.createEmptyDatabase(`peer_${kind.toLowerCase()}`);
    const peer = await startProcess<PeerCalls>(programs, program);
    stops.add(peer.stop);
    const url = await peer.call("open", {
      url: parts.gatewayUrl,
      databaseUrl,
      redisPort: redis?.port ?? 0,
      atOnce: parts.atOnce,
      packages: packagesOfPeers,
    });
    const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    stops.add(() => database.end());
    const processes = {
      "Node.js": peer.pid,
      PostgreSQL: server.pid,
      ...(redis === null ? {} : { Redis: redis.pid() }),
    };
    contenders.push(
      pushedContender(parts, {
        name,
        description,
        url,
        cost: createCostMeter(processes, database),
        // The last it does for an order is to read its documents.
        untilRecorded: async () => [],
      }),
    );
  }
  return contenders;
}
