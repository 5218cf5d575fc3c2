import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One statement that PostgreSQL carried out, or refused. */
export interface CountedStatement {
  /** As it was sent. Statements that were sent as one text each have the whole of it. */
  readonly text: string;
  /** What PostgreSQL says it was: `SELECT`, `UPDATE`, `BEGIN`, `COMMIT`; `ERROR` when it was refused. */
  readonly command: string;
  /** Whether it was prepared under a name, so that later executions are neither parsed nor planned again. */
  readonly isNamed: boolean;
  /** Whether it ran outside of `begin` and `commit`, and so was a transaction of its own. */
  readonly isAlone: boolean;
}

/** Everything that a connection sends from when nothing is under way on it until everything sent has its response. */
export interface RoundTrip {
  /** `application_name` of the connection. */
  readonly program: string;
  /** Tells connections of one program apart. */
  readonly connection: number;
  readonly statements: readonly CountedStatement[];
}

export interface ArrivedMessage {
  /** `application_name` of who listens. */
  readonly program: string;
  readonly channel: string;
}

/** A proxy between one process and PostgreSQL that counts what the process asks, and decides when it is woken. */
export interface CountingProxy {
  /** The database, reached through the proxy. */
  readonly url: string;
  /** Since the start or since `forget`, in the order in which they began. */
  roundTrips(): readonly RoundTrip[];
  /** Messages of NOTIFY that arrived since the start or since `forget`. */
  messages(): readonly ArrivedMessage[];
  forget(): void;
  /** Changes whenever anything passes; null while the process waits for a response. */
  activity(): number | null;
  /** Passes on the wake-ups that arrived so far. @returns whether there were any. */
  passNotifies(): boolean;
  /** Keeps back the responses to the next so many round trips. */
  holdBack(count: number): HeldResponses;
  close(): Promise<void>;
}

/** Responses that a proxy keeps back. */
export interface HeldResponses {
  /** How many round trips wait for theirs so far. */
  count(): number;
  release(): void;
}

/**
 * Counts by the messages of the protocol, so it sees what is sent whatever library sends it: simple queries, prepared
 * statements, and several statements sent together without waiting, which are one round trip. It does not see statements
 * that functions and triggers run inside the database.
 *
 * It keeps messages of NOTIFY back until `passWakeUps`: how often a process looks for work would otherwise depend on
 * whether a message arrives during a look or after it.
 *
 * Round trips are exact when the client runs on the thread of the proxy: what it sends in one go has arrived as a whole
 * before the first response to it is passed on.
 *
 * @param databaseUrl of a server that is reached without TLS.
 */
export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const connections = new Set<Connection>();
  let log: RoundTrip[] = [];
  let messages: ArrivedMessage[] = [];
  let passed = 0;
  let toHold = 0;

  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect(targetOf(databaseUrl));
    const connection = createConnection(client, {
      onRoundTrip(roundTrip) {
        log.push(roundTrip);
        if (toHold === 0) return;
        toHold -= 1;
        connection.heldResponses = [];
      },
      onMessage: (message) => messages.push(message),
    });
    connections.add(connection);
    client.on("data", (chunk) => {
      passed += 1;
      connection.readClient(chunk);
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      passed += 1;
      connection.readServer(chunk);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        other.destroy();
        connections.delete(connection);
      });
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");

  return {
    url: urlThrough(databaseUrl, (listener.address() as AddressInfo).port),
    roundTrips: () => log,
    messages: () => messages,
    forget() {
      log = [];
      messages = [];
    },
    activity: () => ([...connections].some((connection) => connection.isUnderWay()) ? null : passed),
    passNotifies: () => [...connections].map((connection) => connection.passNotifies()).includes(true),
    holdBack(count) {
      toHold = count;
      const held = (): Connection[] => [...connections].filter(({ heldResponses }) => heldResponses !== null);
      return {
        count: () => held().length,
        release() {
          toHold = 0;
          for (const connection of held()) {
            const responses = connection.heldResponses ?? [];
            connection.heldResponses = null;
            connection.client.write(Buffer.concat(responses));
          }
        },
      };
    },
    async close() {
      for (const { client } of connections) client.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

interface Connection {
  readonly client: Socket;
  readClient(chunk: Buffer): void;
  readServer(chunk: Buffer): void;
  isUnderWay(): boolean;
  passNotifies(): boolean;
  /** Null when none are kept back. */
  heldResponses: Buffer[] | null;
}

/** What a client has asked and the server has not responded to: a statement, or the mark that ends a group of them. */
type Asked = { readonly kind: "text" | "execution"; readonly statement: Prepared } | { readonly kind: "sync" };

interface Prepared {
  readonly text: string;
  readonly isNamed: boolean;
}

let connectionsMade = 0;

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

function createConnection(
  client: Socket,
  events: { onRoundTrip(roundTrip: RoundTrip): void; onMessage(message: ArrivedMessage): void },
): Connection {
  const prepared = new Map<string, Prepared>();
  const portals = new Map<string, Prepared>();
  const asked: Asked[] = [];
  let heldNotifies: Buffer[] = [];
  let program = "";
  let current: CountedStatement[] | null = null;
  /** Of the messages up to the next sync. */
  let group: Mutable<CountedStatement>[] = [];
  let isGroupOpen = false;
  let isInTransaction = false;
  connectionsMade += 1;
  const number = connectionsMade;

  function begin(): void {
    if (current !== null) return;
    current = [];
    events.onRoundTrip({ program, connection: number, statements: current });
  }

  function readRequest(type: string, body: Buffer): void {
    const [first = "", second = ""] = readTexts(body, 2);
    switch (type) {
      case "Q":
        asked.push({ kind: "text", statement: { text: first, isNamed: false } }, { kind: "sync" });
        break;
      case "P":
        prepared.set(first, { text: second, isNamed: first !== "" });
        break;
      case "B":
        portals.set(first, prepared.get(second) ?? { text: `unknown statement ${second}`, isNamed: second !== "" });
        break;
      case "E":
        asked.push({ kind: "execution", statement: portals.get(first) ?? { text: "unknown portal", isNamed: false } });
        break;
      case "S":
        asked.push({ kind: "sync" });
        break;
      case "D":
      case "C":
      case "H":
        break;
      default:
        // Passwords, data that is copied, the end.
        return;
    }
    begin();
    isGroupOpen = type !== "Q" && type !== "S";
  }

  function readResponse(type: string, body: Buffer): void {
    const [next] = asked;
    if (next !== undefined && next.kind !== "sync" && "CEIs".includes(type)) {
      const command = type === "E" ? "ERROR" : (readTexts(body, 1)[0] ?? "").split(" ")[0]!;
      const statement = { ...next.statement, command, isAlone: false };
      if (type === "C" || type === "E") {
        group.push(statement);
        current?.push(statement);
      }
      if (next.kind === "execution") asked.shift();
    }
    if (type !== "Z") return;
    const wasInTransaction = isInTransaction;
    isInTransaction = body.toString("latin1") !== "I";
    const isAlone = !wasInTransaction && !isInTransaction && !group.some(({ command }) => command === "BEGIN");
    for (const statement of group) statement.isAlone = isAlone;
    group = [];
    asked.splice(0, asked.findIndex(({ kind }) => kind === "sync") + 1);
    if (asked.length === 0 && !isGroupOpen) current = null;
  }

  const readRequests = createMessageReader(true);
  const readResponses = createMessageReader(false);
  const connection: Connection = {
    client,
    readClient(chunk) {
      for (const { type, body } of readRequests(chunk)) {
        if (type === "") program = readParameters(body).get("application_name") ?? "";
        else readRequest(type, body);
      }
    },
    readServer(chunk) {
      const responses: Buffer[] = [];
      for (const { type, body, bytes } of readResponses(chunk)) {
        if (type === "A") {
          heldNotifies.push(bytes);
          const [channel = ""] = readTexts(body.subarray(processIdBytes), 1);
          events.onMessage({ program, channel });
          continue;
        }
        readResponse(type, body);
        responses.push(bytes);
      }
      if (connection.heldResponses === null) client.write(Buffer.concat(responses));
      else connection.heldResponses.push(...responses);
    },
    isUnderWay: () => current !== null,
    passNotifies() {
      const isNotified = heldNotifies.length > 0;
      if (isNotified) client.write(Buffer.concat(heldNotifies));
      heldNotifies = [];
      return isNotified;
    },
    heldResponses: null,
  };
  return connection;
}

interface Message {
  /** A letter; empty for the first message of a client. */
  readonly type: string;
  readonly body: Buffer;
  /** All of it. */
  readonly bytes: Buffer;
}

const protocolVersion = 3 << 16;

/** Splits a stream into messages: a letter, the length, the body. The first one of a client has no letter. */
function createMessageReader(beginsWithStartup: boolean): (chunk: Buffer) => readonly Message[] {
  let isStarted = !beginsWithStartup;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const messages: Message[] = [];
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const lengthAt = isStarted ? 1 : 0;
      if (rest.length < lengthAt + 4) return messages;
      const end = lengthAt + rest.readUInt32BE(lengthAt);
      if (rest.length < end) return messages;
      const body = rest.subarray(lengthAt + 4, end);
      messages.push({ type: rest.toString("latin1", 0, lengthAt), body, bytes: rest.subarray(0, end) });
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

/** @throws Error for a connection that begins with TLS or is made to cancel a statement. */
function readParameters(startup: Buffer): ReadonlyMap<string, string> {
  if (startup.readUInt32BE(0) !== protocolVersion) throw new Error("The counting proxy reads plain connections only.");
  const words = startup.toString("utf8", 4).split("\0");
  return new Map(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? ""]] : [])));
}

/** Of the process that has sent a message of NOTIFY. */
const processIdBytes = 4;

/** The texts at the beginning of a message, each ended by a zero. */
function readTexts(body: Buffer, count: number): readonly string[] {
  const texts: string[] = [];
  for (let start = 0; texts.length < count; ) {
    const end = body.indexOf(0, start);
    if (end === -1) break;
    texts.push(body.toString("utf8", start, end));
    start = end + 1;
  }
  return texts;
}

/** Where the server listens: on a port, or on a socket in the folder that the URL names as its host. */
function targetOf(databaseUrl: string): { readonly path: string } | { readonly host: string; readonly port: number } {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? hostname;
  const portNumber = searchParams.get("port") ?? (port || "5432");
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${portNumber}` } : { host, port: Number(portNumber) };
}

function urlThrough(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href;
}
