import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/*
 * A flood by callers without credentials, until the process is ended. Arguments: the port, and one of `floods`. Prints
 * "flooding" when every connection of the start was begun.
 */

const [, , port, name = "many-networks"] = process.argv;
const slowBytesMs = 1_000;

/** Keeps a connection of this kind open: opens another one when it ends. */
function hold(localAddress: string, talk: (socket: Socket) => void): void {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  socket.on("data", () => {});
  socket.on("connect", () => talk(socket));
  socket.on("close", () => setTimeout(() => hold(localAddress, talk), 20));
}

function head(path: string, headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: localhost", "Content-Type: application/json", ...headers, "", ""].join(
    "\r\n",
  );
}

/** Sends a body byte by byte. */
function dribble(path: string, headers: () => readonly string[]): (socket: Socket) => void {
  return (socket) => {
    socket.write(head(path, [...headers(), "Content-Length: 100000"]));
    const timer = setInterval(() => socket.write(" "), slowBytesMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Sends one request after another on a connection. */
function repeat(path: string, request: () => { headers: readonly string[]; body: string }): (socket: Socket) => void {
  return (socket) => {
    const next = (): void => {
      const { headers, body } = request();
      socket.write(`${head(path, [...headers, `Content-Length: ${body.length}`])}${body}`);
    };
    socket.on("data", next);
    next();
  };
}

/** Sends one wrong password after another. */
function guess(path: string): (socket: Socket) => void {
  return repeat(path, () => ({ headers: [`Authorization: Basic ${random(`gateway:`)}`], body: "{}" }));
}

function guessToken(path: string): (socket: Socket) => void {
  return repeat(path, () => ({ headers: [`Authorization: Bearer ${random("")}`], body: "{}" }));
}

/** Wrong passwords of one user who exists, or of many who do not. */
function guessSignIn(username: string | null): (socket: Socket) => void {
  return repeat("/api/v1/session", () => ({
    headers: [],
    body: JSON.stringify({
      username: username ?? randomBytes(6).toString("hex"),
      password: randomBytes(12).toString("hex"),
    }),
  }));
}

function random(before: string): string {
  return Buffer.from(`${before}${randomBytes(8).toString("hex")}`).toString("base64");
}

function invented(): readonly string[] {
  const signature = randomBytes(32).toString("base64");
  const seconds = Math.floor(Date.now() / 1_000);
  return ["webhook-id: msg", `webhook-timestamp: ${seconds}`, `webhook-signature: v1,${signature}`];
}

interface Kind {
  readonly network: number;
  readonly count: number;
  readonly talk: (socket: Socket) => void;
}

/** Fewer than the connections that one address may have: this is about credentials. */
const ofOneAddress: readonly Kind[] = [
  { network: 0, count: 100, talk: guess("/ocn/basic-hashed") },
  { network: 0, count: 60, talk: guessToken("/ocn/opaque") },
  { network: 0, count: 40, talk: guessSignIn(null) },
  { network: 0, count: 20, talk: guessSignIn("known") },
  { network: 0, count: 48, talk: dribble("/ocn/signed", invented) },
];

const ofManyNetworks: readonly Kind[] = [
  { network: 1, count: 500, talk: dribble("/api/v1/session", () => []) },
  { network: 2, count: 500, talk: () => {} },
  { network: 3, count: 120, talk: guess("/ocn/basic-hashed") },
  { network: 4, count: 48, talk: dribble("/ocn/signed", invented) },
  {
    network: 5,
    count: 50,
    talk: (socket) => void socket.write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX: "),
  },
];
/** By name: who floods, and whether all come from 127.0.0.1 in place of several loopback addresses. */
const floods: Readonly<Record<string, { readonly kinds: readonly Kind[]; readonly isOneAddress: boolean }>> = {
  "many-networks": { kinds: ofManyNetworks, isOneAddress: false },
  "one-address": { kinds: ofOneAddress, isOneAddress: true },
  tokens: { kinds: [{ network: 0, count: 120, talk: guessToken("/ocn/opaque") }], isOneAddress: true },
};
const { kinds, isOneAddress } = floods[name]!;
for (const { network, count, talk } of kinds) {
  // Several addresses of each kind, as real floods have.
  for (let index = 0; index < count; index += 1) {
    hold(isOneAddress ? "127.0.0.1" : `127.0.${network}.${1 + (index % 4)}`, talk);
  }
}
console.log("flooding");
