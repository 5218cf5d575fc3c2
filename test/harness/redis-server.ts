import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisBinary } from "./redis-presence.ts";

/** A real Redis of one test file, on loopback. It keeps its data over `restart`: every write is on disk first. */
export interface RedisServer {
  readonly port: number;
  /** Of the process that runs now. */
  pid(): number;
  readonly url: string;
  /** Stops it in order. The data stays. */
  stop(): Promise<void>;
  /** Kills it, as a crash would. The data stays. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, on the same port, with its data. */
  start(): Promise<void>;
  /** Neither responds nor closes connections, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Runs a command as the administrator. */
  command(name: string, ...parameters: (string | number)[]): Promise<unknown>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** @param settings further lines of its configuration, as `["--name", "value"]`. */
export async function startRedisServer(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-redis-"));
  const port = await findFreePort();
  const parameters = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ...["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"],
    ...settings,
  ];
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    server = await spawnServer(parameters);
  }

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (server === null) return;
    const ended = once(server, "exit");
    server.kill("SIGCONT");
    server.kill(signal);
    server = null;
    await ended;
  }

  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pid: () => server?.pid ?? Number.NaN,
    start,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    async command(name, ...words) {
      const client = new Redis({ host: "127.0.0.1", port, lazyConnect: true, retryStrategy: null });
      await client.connect();
      try {
        return await client.call(name, ...words);
      } finally {
        client.disconnect();
      }
    },
    async close() {
      await end("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

/** Three masters that share the slots. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** Names two of the three; the third is learnt from them. */
  readonly url: string;
  close(): Promise<void>;
}

const slots = 16_384;

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  for (let index = 0; index < 3; index += 1) {
    const busPort = await findFreePort();
    const cluster = ["--cluster-enabled", "yes", "--cluster-port", String(busPort), "--cluster-node-timeout", "2000"];
    const node = await startRedisServer([...cluster, "--cluster-announce-bus-port", String(busPort)]);
    nodes.push(node);
    const [first = node] = nodes;
    await node.command("cluster", "addslotsrange", share(index), share(index + 1) - 1);
    if (first !== node) await node.command("cluster", "meet", "127.0.0.1", first.port, await busPortOf(first));
  }
  for (const node of nodes) await untilClusterIsUp(node, nodes.length);
  return {
    nodes,
    url: `redis://127.0.0.1:${nodes[0]?.port},127.0.0.1:${nodes[1]?.port}`,
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

function share(index: number): number {
  return Math.round((slots * index) / 3);
}

async function busPortOf(node: RedisServer): Promise<number> {
  const [, port] = (await node.command("config", "get", "cluster-port")) as [string, string];
  return Number(port);
}

async function untilClusterIsUp(node: RedisServer, count: number): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const info = String(await node.command("cluster", "info"));
    if (info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${count}`)) return;
    if (performance.now() > giveUpAt) throw new Error(`The cluster did not come up:\n${info}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function spawnServer(parameters: readonly string[]): Promise<ChildProcess> {
  const server = spawn(redisBinary, parameters, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  // It dies with this process, however that ends: then the watchman's input closes. Ctrl-C does not reach it before.
  const watchman = spawn("sh", ["-c", `cat >/dev/null; kill -9 ${server.pid} 2>/dev/null`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  server.once("exit", () => watchman.kill("SIGKILL"));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) resolve();
    };
    server.stdout.on("data", onData);
    server.stderr.on("data", onData);
    server.once("exit", () => reject(new Error(`${redisBinary} ended:\n${output}`)));
    server.once("error", reject);
  });
  return server;
}

/** A port that was free a moment ago, below those that the system gives to outgoing connections at random. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port === port));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
