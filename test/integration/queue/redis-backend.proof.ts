import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeOf, messageOf } from "../../../src/kernel/app-error.ts";
import { defaultQueueTiming } from "../../../src/queue/bullmq-backend.ts";
import type { DispatchJob, DispatchQueue, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { createRedisQueueBackend } from "../../../src/queue/redis-backend.ts";
import type { WorkerMessage, WorkerReply, WorkerSettings } from "../../conformance/queue/worker-process.ts";
import { type CompiledProcess, compileProcess } from "../../harness/compile-process.ts";
import { eventually } from "../../harness/eventually.ts";
import { hasOpenssl } from "../../harness/redis-presence.ts";
import {
  findFreePort,
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
  startRedisServer,
} from "../../harness/redis-server.ts";
import { describeWithRedis } from "../../harness/redis-suites.ts";

/** A user of an ACL with the rights that docs/queue.md names. */
const worker = ["worker", "on", ">hidden:pass", "~{skedchange}:*"];
const rights = ["+@read", "+@write", "+@blocking", "+@scripting", "+@connection", "+info"];

/** Less than the 5 s that a response of Redis is waited for, and enough for a busy machine. */
const atOnceMs = 4_000;

const opened: QueueBackend[] = [];
let errors: unknown[] = [];

beforeEach(() => {
  errors = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((backend) => backend.close()));
});

function openBackend(url: string): QueueBackend {
  const backend = createRedisQueueBackend({
    url,
    applicationName: "queue test",
    onError: (error) => errors.push(error),
  });
  opened.push(backend);
  return backend;
}

/** What a consumer has worked on. */
function consume(backend: QueueBackend, name: string): readonly string[] {
  const handled: string[] = [];
  backend.consume(
    name,
    (error) => errors.push(error),
    async (job) => void handled.push(...job.map(({ orderId = "" }) => orderId)),
  );
  return handled;
}

function untilHandled(handled: readonly string[], orderId: string): Promise<void> {
  return eventually(() => expect(handled).toContain(orderId));
}

/**
 * A job is finished a moment after it was handled. When the response to that is lost, the worker finishes it again and
 * reports that the job is gone: true, and not what the tests of an outage are about.
 */
async function untilFinished(nodes: readonly RedisServer[]): Promise<void> {
  await eventually(async () => {
    for (const node of nodes) expect(await node.command("keys", "*:active")).toEqual([]);
  });
}

function job(orderId: string): DispatchJob {
  return [{ orderId }];
}

/** As the feeder does: again and again, until the connection is back. */
async function addWhenBack(queue: DispatchQueue, orderId: string): Promise<void> {
  await eventually(() => queue.add([job(orderId)]), { everyMs: 50 });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describeWithRedis("queue on Redis, when Redis goes away", () => {
  let server: RedisServer;
  let backend: QueueBackend;

  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(async () => {
    await server?.close();
  });
  beforeEach(async () => {
    await server.command("flushall");
    backend = openBackend(server.url);
  });

  test("an add while it is away at the start is refused at once, and the same queue works when it is back", async () => {
    await server.stop();
    const queue = backend.openQueue("late");

    const tookMs = await timeOf(() =>
      expect(queue.add([job("A"), job("B")])).rejects.toMatchObject({
        code: "queue.unavailable",
        retryable: true,
        message: expect.stringContaining("2 jobs could not be added to queue 'late'"),
      }),
    );
    await expect(backend.ping()).rejects.toMatchObject({
      code: "queue.unavailable",
      message: expect.stringContaining("check QUEUE_URL and that the server runs"),
    });
    expect(tookMs).toBeLessThan(atOnceMs);

    await server.start();
    const handled = consume(backend, "late");
    await addWhenBack(queue, "A");
    await untilHandled(handled, "A");
    await expect(backend.ping()).resolves.toBeUndefined();
  });

  test("a consumer that was started while it is away works when it is back", async () => {
    await server.stop();
    const handled = consume(backend, "early");
    await server.start();

    await addWhenBack(backend.openQueue("early"), "A");

    await untilHandled(handled, "A");
    expect(handled).toEqual(["A"]);
  });

  test.each(["stop", "kill"] as const)("queue and consumer survive a %s, and report it once", async (way) => {
    const queue = backend.openQueue("broken");
    const handled = consume(backend, "broken");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");
    await untilFinished([server]);

    await server[way]();
    // Several rounds of what a feeder would do, while the connections try to come back by themselves.
    for (let round = 0; round < 20; round += 1) {
      const tookMs = await timeOf(() =>
        expect(queue.add([job("during")])).rejects.toMatchObject({ code: "queue.unavailable" }),
      );
      expect(tookMs).toBeLessThan(atOnceMs);
    }
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    await server.start();

    await addWhenBack(queue, "after");
    await untilHandled(handled, "after");
    expect(errors.map(codeOf)).toEqual(["queue.unavailable"]);
  });

  test("a server that hangs is noticed by whoever adds, and work goes on when it responds again", async () => {
    const queue = backend.openQueue("frozen");
    const handled = consume(backend, "frozen");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");

    server.freeze();
    const tookMs = await timeOf(() =>
      expect(queue.add([job("during")])).rejects.toMatchObject({ code: "queue.unavailable" }),
    );
    server.thaw();

    expect(tookMs).toBeLessThan(8_000);
    await addWhenBack(queue, "after");
    await untilHandled(handled, "after");
  });

  test.each([
    ["is away", true],
    ["goes away", false],
  ])("closes at once while it %s, also in the middle of work", async (_, isAwayBefore) => {
    const queue = backend.openQueue("closing");
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = false;
    backend.consume(
      "closing",
      (error) => errors.push(error),
      async () => {
        started = true;
        await released;
      },
    );
    await queue.add([job("A")]);
    await eventually(() => expect(started).toBe(true));
    if (isAwayBefore) await server.stop();

    const tookMs = await timeOf(async () => {
      const closing = backend.close();
      if (!isAwayBefore) await server.stop();
      release();
      await closing;
    });
    await server.start();

    expect(tookMs).toBeLessThan(atOnceMs);
  });

  test("closes at once when it was never there", async () => {
    await server.stop();
    consume(backend, "never");
    await expect(backend.openQueue("never").add([job("A")])).rejects.toMatchObject({ code: "queue.unavailable" });

    const tookMs = await timeOf(() => backend.close());
    await server.start();

    expect(tookMs).toBeLessThan(atOnceMs);
  });

  test("adds and works after its scripts were thrown away", async () => {
    const queue = backend.openQueue("scripts");
    const handled = consume(backend, "scripts");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");

    await server.command("script", "flush");
    await queue.add([job("after")]);

    await untilHandled(handled, "after");
    expect(errors).toEqual([]);
  });

  test("a server without memory refuses an add, and its worker asks without a storm", async () => {
    const queue = backend.openQueue("full");
    const handled = consume(backend, "full");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");

    await server.command("config", "set", "maxmemory", 1);
    await expect(queue.add([job("during")])).rejects.toMatchObject({
      code: "queue.unavailable",
      message: expect.stringContaining("OOM"),
    });
    await server.command("config", "set", "maxmemory", 0);

    await addWhenBack(queue, "after");
    await untilHandled(handled, "after");
    expect(errors.length).toBeLessThan(3);
  });

  test("a server that became a replica is reported once, and its worker goes on when it is the primary again", async () => {
    const queue = backend.openQueue("replica");
    const handled = consume(backend, "replica");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");
    await untilFinished([server]);

    await server.command("replicaof", "127.0.0.1", 1);
    await expect(queue.add([job("during")])).rejects.toMatchObject({ code: "queue.unavailable" });
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    const cpu = process.cpuUsage();
    await pause(2_000);
    const { user, system } = process.cpuUsage(cpu);
    await server.command("replicaof", "no", "one");

    await addWhenBack(queue, "after");
    await untilHandled(handled, "after");
    expect(errors.map(codeOf)).toEqual(["queue.error"]);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  test("takes one connection for a queue, two for a consumer and one to ask", async () => {
    const queue = backend.openQueue("counted");
    const handled = consume(backend, "counted");
    await queue.add([job("A")]);
    await backend.ping();
    await untilHandled(handled, "A");

    const clients = String(await server.command("client", "list"));

    expect(clients.match(/name=queue-test/g)).toHaveLength(1 + 2 + 1);
  });
});

describeWithRedis("queue on a Redis Cluster, when its nodes go away", () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await startRedisCluster();
    for (const node of cluster.nodes) await node.command("acl", "setuser", ...worker, ...rights, "+cluster");
  });
  afterAll(async () => {
    await cluster?.close();
  });

  test("works as a user of an ACL", async () => {
    const backend = openBackend(cluster.url.replace("redis://", "redis://worker:hidden%3Apass@"));
    const handled = consume(backend, "users");

    await backend.ping();
    await backend.openQueue("users").add([job("A")]);

    await untilHandled(handled, "A");
    expect(errors).toEqual([]);
  });

  test("says what its nodes say when it cannot be used, and shows no password", async () => {
    const backend = openBackend(cluster.url.replace("redis://", "redis://intruder:hidden-guess@"));

    const failure = await backend.ping().catch((error: unknown) => error);

    expect(messageOf(failure)).toContain("WRONGPASS");
    expect(inspect([failure, ...errors], { depth: 9, showHidden: true })).not.toContain("hidden");
  });

  test("refuses an add at once, and goes on once they are back", async () => {
    const backend = openBackend(cluster.url);
    const queue = backend.openQueue("nodes");
    const handled = consume(backend, "nodes");
    await queue.add([job("before")]);
    await untilHandled(handled, "before");
    await untilFinished(cluster.nodes);

    await Promise.all(cluster.nodes.map((node) => node.kill()));
    const tookMs = await timeOf(() =>
      expect(queue.add([job("during")])).rejects.toMatchObject({ code: "queue.unavailable" }),
    );
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    await Promise.all(cluster.nodes.map((node) => node.start()));

    expect(tookMs).toBeLessThan(atOnceMs);
    await addWhenBack(queue, "after");
    await untilHandled(handled, "after");
    // The outage itself is told once; a cluster that is still finding itself again may say so as well.
    const [outages, others] = [
      errors.map(messageOf).filter(isOutage),
      errors.map(messageOf).filter((text) => !isOutage(text)),
    ];
    expect(outages).toHaveLength(1);
    expect(others.filter((text) => !text.includes("CLUSTERDOWN"))).toEqual([]);
  });
});

function isOutage(text: string): boolean {
  return text.includes("The queue on redis is not available");
}

describeWithRedis("queue on Redis, set up wrongly", () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedisServer(["--requirepass", "hidden-administrator"]);
  });
  afterAll(async () => {
    await server?.close();
  });

  test("a wrong password is reported once, and shown nowhere", async () => {
    const backend = openBackend(`redis://intruder:hidden-guess@127.0.0.1:${server.port}`);
    consume(backend, "locked");

    const failures = [
      await backend
        .openQueue("locked")
        .add([job("A")])
        .catch((error: unknown) => error),
      await backend.ping().catch((error: unknown) => error),
    ];

    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    expect(failures.map(codeOf)).toEqual(["queue.unavailable", "queue.unavailable"]);
    expect(failures.map(messageOf).join()).toContain("WRONGPASS");
    expect(errors.map(codeOf)).toEqual(["queue.unavailable"]);
    expect(inspect([...failures, ...errors], { depth: 9, showHidden: true })).not.toContain("hidden");
  });

  test("a policy that evicts is warned of once", async () => {
    const evicting = await startRedisServer(["--maxmemory-policy", "allkeys-lru"]);
    try {
      const backend = openBackend(evicting.url);
      await backend.ping();
      await backend.openQueue("evicting").add([job("A")]);

      expect(errors).toMatchObject([{ code: "queue.may_evict", message: expect.stringContaining("allkeys-lru") }]);
      await backend.close();
    } finally {
      await evicting.close();
    }
  });

  test.each([
    ["6.0.16", false],
    ["6.2.0", true],
  ])("a server of version %s is accepted: %s", async (version, accepted) => {
    const old = await startServerOfVersion(version);
    try {
      const backend = openBackend(old.url);
      const response = backend.ping();
      if (accepted) await expect(response).resolves.toBeUndefined();
      else {
        await expect(response).rejects.toMatchObject({
          code: "queue.server_too_old",
          message: `Redis ${version} is too old for the queue, which waits until it is replaced by 6.2 or newer.`,
        });
        await expect(backend.openQueue("old").add([job("A")])).rejects.toMatchObject({
          code: "queue.unavailable",
          message: expect.stringContaining("is too old"),
        });
      }
      await backend.close();
    } finally {
      await old.close();
    }
  });
});

describe("the URL of a queue", () => {
  test("is refused when it cannot be read, and not repeated", () => {
    expect(() => openBackend("redis://worker:hidden@localhost/orders")).toThrow(
      expect.objectContaining({
        code: "queue.bad_url",
        message: "The URL of the queue has a path that is no database number, such as /0.",
      }),
    );
  });
});

const describeWithTls = hasOpenssl() ? describeWithRedis : describe.skip;

describeWithTls("queue on Redis over TLS, as a user of an ACL", () => {
  let folder: string;
  let server: RedisServer;
  let tlsPort: number;
  let compiled: CompiledProcess;
  let process: ChildProcess | undefined;

  beforeAll(async () => {
    compiled = await compileProcess("test/conformance/queue/worker-process");
    folder = await mkdtemp(join(tmpdir(), "skedchange-tls-"));
    makeCertificate(folder);
    tlsPort = await findFreePort();
    server = await startRedisServer([
      ...["--tls-port", String(tlsPort), "--tls-auth-clients", "no"],
      ...["--tls-cert-file", join(folder, "cert.pem"), "--tls-key-file", join(folder, "key.pem")],
      ...["--tls-ca-cert-file", join(folder, "cert.pem")],
    ]);
    await server.command("acl", "setuser", ...worker, ...rights);
  });
  afterAll(async () => {
    process?.kill("SIGKILL");
    await server?.close();
    await rm(folder, { recursive: true });
    compiled?.remove();
  });

  test("adds as that user and works in a process that trusts the certificate", async () => {
    const handled: string[] = [];
    process = startTrustingWorker(
      compiled.entry,
      `rediss://worker:hidden%3Apass@127.0.0.1:${tlsPort}`,
      join(folder, "cert.pem"),
      handled,
    );
    const backend = openBackend(`redis://worker:hidden%3Apass@127.0.0.1:${server.port}`);

    await backend.ping();
    const queue = backend.openQueue("secured");
    await queue.add([job("A")]);
    await queue.removeOlderThan(60_000);
    await queue.addFirst(job("B"));

    await eventually(() => expect([...handled].sort()).toEqual(["A", "B"]));
    expect(errors).toEqual([]);
  });

  test("does not talk to a server whose certificate is not trusted", async () => {
    const backend = openBackend(`rediss://worker:hidden%3Apass@127.0.0.1:${tlsPort}`);

    await expect(backend.ping()).rejects.toMatchObject({
      code: "queue.unavailable",
      message: expect.stringContaining("self-signed certificate"),
    });
    expect(inspect(errors, { depth: 9 })).not.toContain("hidden");
  });
});

function makeCertificate(folder: string): void {
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
      ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")],
      ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
    ],
    { stdio: "ignore" },
  );
}

/** Node.js reads trusted certificates at its start only, so TLS is tested in a process of its own. */
function startTrustingWorker(entry: string, url: string, certificate: string, handled: string[]): ChildProcess {
  const settings: WorkerSettings = { kind: "redis", url, queue: "secured", timing: defaultQueueTiming };
  const child = fork(entry, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, WORKER_SETTINGS: JSON.stringify(settings) },
  });
  child.on("message", ({ call, phase, key }: WorkerMessage) => {
    if (phase === "end") handled.push(key);
    const reply: WorkerReply = { call };
    child.send(reply);
  });
  return child;
}

/** Responds like a Redis of that version, as far as it is asked. */
async function startServerOfVersion(version: string): Promise<{ url: string; close(): Promise<void> }> {
  const info = `redis_version:${version}\r\nloading:0\r\nmaxmemory_policy:noeviction\r\n`;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (chunk: Buffer) => {
      for (const [, , word = ""] of chunk.toString().matchAll(/\*\d+\r\n\$(\d+)\r\n(\w+)\r\n/g)) {
        if (word === "info") socket.write(`$${info.length}\r\n${info}\r\n`);
        else if (word === "hello") socket.write("-ERR unknown command `HELLO`\r\n");
        else socket.write("+OK\r\n");
      }
    });
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
