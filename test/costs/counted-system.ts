import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type RunningServer, startServer } from "../../src/app/start-server.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import type { Role } from "../../src/config/settings.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { createLogger } from "../../src/telemetry/json-logger.ts";
import { sampleNotification, withDelayTaken } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { settled } from "../harness/scripted-gateway.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { acknowledge, type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";
import { holdTimers } from "./hold-timers.ts";

/** The place of the queue. */
export interface CountedQueue {
  /** What a server is given for it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Resolves when it has done what it was told before. */
  untilResponds(): Promise<unknown>;
}

/** A role of the system with a proxy of its own in front of the database. */
export interface CountedRole {
  readonly server: RunningServer;
  readonly database: CountingProxy;
}

/** Both sides, each role as a server of its own with production settings, all in the process of the test. */
export interface CountedSystem {
  readonly receiver: CountedRole;
  readonly worker: CountedRole;
  readonly sender: CountedRole;
  /** Its orders show a change that is accepted or goes to a person, by their names, and an accept is done at once. */
  readonly gateway: StatusGateway;
  readonly agency: AgencyApi;
  /** The one recipient of the agency's events. It is sent all of them. */
  readonly events: ScriptedReceiver;
  /** The one recipient of the gateway's notifications. */
  readonly agencyTarget: ScriptedReceiver;
  /** Pushes a notification. @throws Error when it is not acknowledged. */
  push(orderId: string): Promise<void>;
  /** The length of what is pushed for such an order. */
  bytesOf(orderId: string): number;
  /** Has the recipient of events sent those of one type only. */
  sendOnly(eventType: string): Promise<void>;
  /** Posts to a control route of the gateway side. */
  control<T>(path: string, body: object): Promise<T>;
  /** Wakes the role until it is at rest, and until `check` passes. Other roles sleep meanwhile. */
  settle(role: CountedRole, check?: () => unknown): Promise<void>;
  close(): Promise<void>;
}

/** Orders of this name are accepted automatically. */
export const acceptedOrder = (number: number): string => `ACCEPT${paddedNumber(number)}`;
/** Orders of this name go to a person. */
export const reviewedOrder = (number: number): string => `REVIEW${paddedNumber(number)}`;

/**
 * A role is at rest when it waits for no response of the database and nothing has happened in this many looks. A look waits for
 * other threads and for the queue, so what was given to them before has come back. Then only a wake-up starts the role. They take
 * longer than the 100 ms for which a process gathers the changes that it announces.
 */
const looksAtRest = 30;
const lookEveryMs = 5;

/** Twice the threads that Node.js compresses and encrypts on. They begin tasks in order. */
const threadTasks = 8;

/** Starts it all, with one recipient on each side. From then on no timer of a second or more fires. */
export async function startCountedSystem(queue: CountedQueue): Promise<CountedSystem> {
  const releaseTimers = holdTimers();
  const closing: (() => Promise<unknown>)[] = [async () => releaseTimers()];
  const close = async (): Promise<void> => {
    for (const step of closing) await step();
  };
  try {
    return { ...(await start(queue, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(queue: CountedQueue, closing: (() => Promise<unknown>)[]): Promise<Omit<CountedSystem, "close">> {
  const db = await createTestDatabase();
  closing.splice(1, 0, () => db.drop());
  const gateway = await startStatusGateway((orderId) => statusOf(orderId, gateway));
  const events = await startReceiver((response) => void response.writeHead(200).end());
  const agencyTarget = await startReceiver(acknowledge);
  closing.splice(1, 0, () => Promise.all([gateway.goAway(), events.close(), agencyTarget.close()]));

  const encryptionKeys = createEncryptionKey(new Date());
  async function open(role: Role, databaseUrl: string): Promise<RunningServer> {
    const environment = {
      HOST: "127.0.0.1",
      PORT: "0",
      GATEWAY_PORT: "0",
      ROLES: role,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: encryptionKeys,
      OCN_BEARER_TOKENS: "push",
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_ACCESS_TOKEN: "access",
      GATEWAY_CONTROL_TOKEN: "control",
      API_TOKEN: "api",
      // The recipients are on this machine, which is not how it is in earnest.
      RECIPIENT_ALLOW_HTTP: "1",
      RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
      ...queue.settings,
    };
    const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    const { configuration } = loaded;
    const logger = createLogger({ level: configuration.settings.LOG_LEVEL, destination: { write: () => {} } });
    const server = await startServer({ configuration, environment, logger, print: () => {} });
    closing.splice(1, 0, () => server.stop());
    return server;
  }
  async function openCounted(role: Role): Promise<CountedRole> {
    const database = await startCountingProxy(db.serviceUrl);
    closing.splice(1, 0, () => database.close());
    return { server: await open(role, database.url), database };
  }

  const dashboard = await open("dashboard", db.serviceUrl);
  const gatewaySide = await open("gateway", db.serviceUrl);
  const receiver = await openCounted("receiver");
  const worker = await openCounted("worker");
  const sender = await openCounted("sender");
  const send = async <T>(method: "POST" | "PATCH", url: string, token: string, body: object): Promise<T> => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const recipients = `${dashboard.agencyUrl}/api/v1/recipients`;
  const { id: recipientId } = await send<{ id: string }>("POST", recipients, "api", {
    name: "Mid-office",
    url: events.url,
  });
  const system: Omit<CountedSystem, "close"> = {
    receiver,
    worker,
    sender,
    gateway,
    agency: openAgencyApi(dashboard.agencyUrl!, "api"),
    events,
    agencyTarget,
    push: (orderId) => send("POST", `${receiver.server.agencyUrl}/ocn`, "push", changeOf(orderId)),
    bytesOf: (orderId) => Buffer.byteLength(JSON.stringify(changeOf(orderId))),
    sendOnly: (eventType) => send("PATCH", `${recipients}/${recipientId}`, "api", { eventTypes: [eventType] }),
    control: (path, body) => send("POST", `${gatewaySide.gatewayUrl}/control${path}`, "control", body),
    async settle({ database }, check = () => {}) {
      const activity = (): string => {
        const calls = gateway.calls.length + events.posts.length + agencyTarget.posts.length;
        return `${database.activity() ?? `busy since ${performance.now()}`} ${calls}`;
      };
      await eventually(async () => {
        do await untilUnchanged(activity, queue.untilResponds);
        while (database.passNotifies());
        await check();
      });
    },
  };

  await system.control("/recipients", {
    name: "Example Travel",
    url: agencyTarget.url,
    authorization: { type: "bearer", token: "the-recipients-own-token" },
  });
  return system;
}

/** So that what is pushed is equally long for all orders. */
function paddedNumber(number: number): string {
  return String(number).padStart(3, "0");
}

function changeOf(orderId: string): object {
  return sampleNotification(orderId.startsWith("ACCEPT") ? "minor-delay" : "flight-number-only", { orderId });
}

function statusOf(orderId: string, { journal }: StatusGateway) {
  if (!orderId.startsWith("ACCEPT")) return sampleNotification("flight-number-only", { orderId });
  const open = sampleNotification("minor-delay", { orderId });
  return journal.some((entry) => entry.orderId === orderId) ? settled(withDelayTaken(open), "Accepted") : open;
}

/** @param untilQueueResponds resolves when the queue has done what it was told before. */
async function untilUnchanged(read: () => string, untilQueueResponds: () => Promise<unknown>): Promise<void> {
  let before = read();
  for (let looks = 0; looks < looksAtRest; looks += 1) {
    const tasks = Array.from({ length: threadTasks }, () => randomBytesInThread(1));
    await Promise.all([sleep(lookEveryMs), untilQueueResponds(), ...tasks]);
    const now = read();
    if (now !== before) looks = 0;
    before = now;
  }
}

const randomBytesInThread = promisify(randomBytes);
