import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/*
 * A flood by callers without credentials, from several loopback addresses, until the process is ended. Arguments: the port.
 * Prints "flooding" when every connection of the start was begun.
 */

const port = Number(process.argv[2]);
const slowBytesMs = 1_000;

/** Keeps a connection of this kind open: opens another one when it ends. */
function hold(localAddress: string, talk: (socket: Socket) => void): void {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  socket.on("data", () => {});
  socket.on("connect", () => talk(socket));
  socket.on("close", () => setTimeout(() => hold(localAddress, talk), 20));
}

function head(path: string, headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: flood", "Content-Type: application/json", ...headers, "", ""].join("\r\n");
}

/** Sends a body byte by byte. */
function dribble(path: string, headers: () => readonly string[]): (socket: Socket) => void {
  return (socket) => {
    socket.write(head(path, [...headers(), "Content-Length: 100000"]));
    const timer = setInterval(() => socket.write(" "), slowBytesMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Sends one wrong password after another. */
function guess(path: string): (socket: Socket) => void {
  return (socket) => {
    const next = (): void => {
      const wrong = Buffer.from(`gateway:${randomBytes(8).toString("hex")}`).toString("base64");
      socket.write(`${head(path, [`Authorization: Basic ${wrong}`, "Content-Length: 2"])}{}`);
    };
    socket.on("data", next);
    next();
  };
}

function invented(): readonly string[] {
  const signature = randomBytes(32).toString("base64");
  const seconds = Math.floor(Date.now() / 1_000);
  return ["webhook-id: msg", `webhook-timestamp: ${seconds}`, `webhook-signature: v1,${signature}`];
}

const kinds: readonly { readonly network: number; readonly count: number; readonly talk: (socket: Socket) => void }[] =
  [
    { network: 1, count: 500, talk: dribble("/api/v1/session", () => []) },
    { network: 2, count: 500, talk: () => {} },
    { network: 3, count: 120, talk: guess("/ocn/basic-hashed") },
    { network: 4, count: 48, talk: dribble("/ocn/signed", invented) },
    { network: 5, count: 50, talk: (socket) => void socket.write("GET /api/v1/events HTTP/1.1\r\nHost: flood\r\nX: ") },
  ];
for (const { network, count, talk } of kinds) {
  // Several addresses of each kind, as real floods have.
  for (let index = 0; index < count; index += 1) hold(`127.0.${network}.${1 + (index % 4)}`, talk);
}
console.log("flooding");
