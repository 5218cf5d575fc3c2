import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** One request, as far as it was read. */
export interface RawRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Tells connections apart. */
  readonly connection: number;
}

/** What happens on a connection, at the earliest phase that is given. */
export interface Behaviour {
  /** As soon as the connection is accepted; the request is then not looked at. */
  readonly onAccept?: (socket: Socket) => void;
  /** As soon as the head of a request has come; its body is then not looked at. */
  readonly onHead?: (socket: Socket) => void;
  /** When a request has come to its end. */
  readonly onRequest?: (socket: Socket, request: RawRequest) => void;
}

/** An endpoint on a bare TCP socket: it can send what no HTTP server would. */
export interface HostileReceiver {
  readonly url: string;
  /** Requests that were read to their end. */
  readonly requests: readonly RawRequest[];
  /** Connections that were accepted. */
  readonly connections: number;
  /** What it does from now on. */
  behaviour: Behaviour;
  close(): Promise<void>;
}

/** The body of an acknowledgement. */
export const acknowledgement = `{"AcknowledgeResponse":{"Status":"OK","Message":"kept"}}`;

export async function startHostileReceiver(): Promise<HostileReceiver> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // It breaks connections itself, and the other side may as well.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    const { onAccept } = receiver.behaviour;
    if (onAccept !== undefined) return onAccept(socket);
    socket.on("data", readRequests(socket, connections, receiver, requests));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: HostileReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`,
    requests,
    get connections() {
      return connections;
    },
    behaviour: acknowledges,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

/** Takes requests apart as their bytes come. */
function readRequests(
  socket: Socket,
  connection: number,
  receiver: Pick<HostileReceiver, "behaviour">,
  requests: RawRequest[],
): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let readBytes = 0;
  let neededBytes = 0;
  let headWasSeen = false;
  return (chunk) => {
    chunks.push(chunk);
    readBytes += chunk.length;
    if (readBytes < neededBytes) return;
    const read = Buffer.concat(chunks);
    chunks = [read];
    const headEnd = read.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const { onHead, onRequest } = receiver.behaviour;
    if (onHead !== undefined) {
      if (!headWasSeen) onHead(socket);
      headWasSeen = true;
      return;
    }
    const headers = readHeaders(read.subarray(0, headEnd).toString("latin1"));
    neededBytes = headEnd + 4 + Number(headers["content-length"] ?? 0);
    if (readBytes < neededBytes) return;
    const request = { headers, body: read.subarray(headEnd + 4, neededBytes), connection };
    requests.push(request);
    chunks = [read.subarray(neededBytes)];
    readBytes -= neededBytes;
    neededBytes = 0;
    onRequest?.(socket, request);
  };
}

function readHeaders(head: string): Readonly<Record<string, string>> {
  const lines = head.split("\r\n").slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

/** Writes these bytes as the response, and leaves the connection open. */
export function writes(...parts: readonly (string | Buffer)[]): Behaviour {
  return {
    onRequest: (socket) => {
      for (const part of parts) socket.write(part);
    },
  };
}

/** Writes these bytes as the response, then ends its half of the connection. */
export function writesAndEnds(...parts: readonly (string | Buffer)[]): Behaviour {
  return { onRequest: (socket) => void socket.end(Buffer.concat(parts.map((part) => Buffer.from(part)))) };
}

/** Writes these bytes, and when they are gone, breaks the connection with RST. */
export function writesAndResets(text: string): Behaviour {
  return {
    onRequest: (socket) => {
      // Both packets must not be taken for one: the reset would throw away what was not read yet.
      socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 500));
    },
  };
}

/** Writes the pieces one by one, again and again, until the connection is closed. */
export function drips(first: string, again: string, everyMs = 20): Behaviour {
  return {
    onRequest: (socket) => {
      socket.write(first);
      const timer = setInterval(() => socket.write(again), everyMs);
      socket.on("close", () => clearInterval(timer));
    },
  };
}

/** Writes as fast as it is read, until the connection is closed. */
export function pours(first: string, again: string): Behaviour {
  return {
    onRequest: (socket) => {
      socket.write(first);
      const pour = (): void => {
        while (!socket.destroyed && socket.write(again));
      };
      socket.on("drain", pour);
      pour();
    },
  };
}

/** A whole response with a right Content-Length. */
export function rawResponse(
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string>> = {},
  version = "HTTP/1.1",
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "Content-Length": String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${version} ${status} Whatever\r\n${lines.join("")}\r\n`), bytes]);
}

export const acknowledges: Behaviour = writes(rawResponse(200, acknowledgement));
