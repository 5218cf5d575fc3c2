import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Command, InvalidArgumentError, Option } from "commander";
import { explainListenFailure } from "../../app/listen-failure.ts";
import { acknowledgeResponse } from "../../contract/acknowledgement.ts";
import type { ContractProblem } from "../../contract/contract-problem.ts";
import { orderIdsOf, readOrderViews } from "../../contract/order-views.ts";
import { shippedMarks } from "../../itinerary/member-marks.ts";
import { AppError, messageOf } from "../../kernel/app-error.ts";
import { createControlClient } from "../control-client.ts";
import { computeOrderFacts } from "../order-facts.ts";
import { type Credential, reach, requireCarriable, requireHttpUrl } from "../reach.ts";
import { addGatewayOptions, type ServerOptions } from "../server-options.ts";
import { styleFor } from "../style.ts";
import { printJsonLine, printLine, readStream, type Terminal } from "../terminal.ts";

interface ListenOptions extends ServerOptions {
  readonly port: number;
  readonly forwardTo?: string;
  readonly authorization?: string;
  readonly register: boolean;
}

interface Listener {
  readonly options: ListenOptions;
  readonly terminal: Terminal;
  /** The token that the gateway sends; null if this address was not added to its recipients. */
  readonly secret: string | null;
}

/** What went back to the gateway. */
interface Acknowledgement {
  readonly status: number;
  readonly body: string;
}

const bodyBytesMax = 4 * 1024 * 1024;

/** Receives notifications until Ctrl-C. */
export function addListenCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("listen")
    .description("receive notifications, print each as it arrives, and acknowledge it or forward it to your program")
    .addOption(
      new Option("--port <n>", "where to listen on this machine; 0 is any free port").argParser(readPort).default(0),
    )
    .option("--forward-to <url>", "send each on to this URL; what it responds goes back to the gateway")
    .option("--authorization <value>", "what your program takes as Authorization (default: this listener's own token)")
    .option("--no-register", "do not add this address to a gateway's recipients while listening");
  addGatewayOptions(command, terminal, "print each notification as one line of JSON").action((options: ListenOptions) =>
    listen(options, terminal),
  );
}

async function listen(options: ListenOptions, terminal: Terminal): Promise<void> {
  if (options.forwardTo !== undefined) requireHttpUrl(options.forwardTo, "--forward-to");
  if (options.authorization !== undefined) requireCarriable(ownAuthorization(options.authorization));
  const interrupted = new Promise<void>((resolve) => void terminal.onInterrupt(resolve));
  const secret = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    receive(request, response, { options, terminal, secret: options.register ? secret : null }).catch(() => {
      printLine(terminal.stderr, "The gateway broke off in the middle of a notification. It should push it again.");
    });
  });
  await startAt(options.port, server);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`;
  try {
    const unregister = options.register ? await register(address, secret, options, terminal) : null;
    printLine(
      terminal.stderr,
      options.register
        ? `Listening: the gateway at ${options.url} pushes to ${address}. Change an order: npx skedchange trigger retime`
        : `Listening at ${address}. Have your gateway push to it.`,
    );
    await interrupted;
    await unregister?.();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function startAt(port: number, server: Server): Promise<void> {
  const place = { host: "127.0.0.1", port, setting: "--port" };
  try {
    await once(server.listen(place), "listening");
  } catch (error) {
    throw explainListenFailure(error as Error, place);
  }
}

/** Adds this address to the gateway's recipients. Returns what removes it. */
async function register(
  url: string,
  secret: string,
  options: ListenOptions,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const control = createControlClient(terminal, options);
  const { id } = await control.call("POST /recipients", {
    body: { name: "skedchange listen", url, authorization: { type: "bearer", token: secret } },
  });
  return async () => {
    try {
      await control.call("DELETE /recipients/{id}", { params: { id } });
    } catch (error) {
      throw new AppError(
        "cli.still_registered",
        `${messageOf(error)} This address may still be among its recipients. Remove it: npx skedchange recipients remove ${id}`,
        { cause: error },
      );
    }
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { options, terminal, secret }: Listener,
): Promise<void> {
  const began = performance.now();
  const body = await readStream(request as AsyncIterable<Buffer>, bodyBytesMax);
  const reply = await replyTo(request, body, { options, terminal, secret });
  response.writeHead(reply.status, { "Content-Type": "application/json" }).end(reply.body);
  if (body === null) return;
  if (options.json === true) {
    printJsonLine(terminal, { at: new Date(), status: reply.status, notification: parse(body) });
    return;
  }
  const style = styleFor(terminal);
  const took = `${reply.status} in ${Math.round(performance.now() - began)} ms`;
  const end = reply.status < 300 ? style.good(took) : style.bad(took);
  const at = style.dim(new Date().toISOString().slice(11, 19));
  for (const line of describe(body)) printLine(terminal.stdout, `${at}  ${line}  ${end}`);
}

async function replyTo(
  request: IncomingMessage,
  body: Buffer | null,
  { options, terminal, secret }: Listener,
): Promise<Acknowledgement> {
  if (request.method !== "POST") return { status: 405, body: problem("Notifications are pushed by POST.") };
  if (secret !== null && request.headers.authorization !== `Bearer ${secret}`) {
    return { status: 401, body: problem("Only the gateway knows the token of this listener.") };
  }
  if (body === null) return { status: 413, body: problem(`A notification has at most ${bodyBytesMax} bytes.`) };
  if (options.forwardTo === undefined) return acknowledge(body);
  try {
    const reply = await forward(options.forwardTo, request, body, { options, terminal });
    if (reply.status === 401 && options.authorization === undefined) printLine(terminal.stderr, tokenOfListener);
    return reply;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    printLine(terminal.stderr, text);
    return { status: 502, body: problem(text) };
  }
}

const tokenOfListener =
  "Your program was given the token that the gateway has for this listener. Give the one that it takes: --authorization 'Bearer …'";

function acknowledge(body: Buffer): Acknowledgement {
  const reading = readOrderViews(body);
  return reading.ok
    ? { status: 200, body: JSON.stringify(acknowledgeResponse()) }
    : { status: 422, body: problem(describeUnusable(reading.problem)) };
}

async function forward(
  url: string,
  request: IncomingMessage,
  body: Buffer,
  { options, terminal }: Pick<Listener, "options" | "terminal">,
): Promise<Acknowledgement> {
  const authorization = options.authorization ?? request.headers.authorization;
  const headers = { "Content-Type": request.headers["content-type"] ?? "application/json" };
  const { status, text } = await reach(
    terminal.fetch,
    url,
    { method: "POST", headers, body: new Uint8Array(body) },
    {
      option: "--forward-to",
      start: "Start your program, or correct --forward-to.",
      credential: authorization === undefined ? null : ownAuthorization(authorization),
      commandToCheck: null,
    },
  );
  return { status, body: text };
}

function ownAuthorization(authorization: string): Credential {
  return { authorization, from: "--authorization" };
}

/** One line for each order. */
function describe(body: Uint8Array): readonly string[] {
  const reading = readOrderViews(body);
  if (!reading.ok) return [describeUnusable(reading.problem)];
  return reading.views.flatMap((view) =>
    orderIdsOf([view]).map((orderId) => {
      const found = computeOrderFacts(orderId, view, view, { now: new Date(), marks: shippedMarks });
      return [orderId, found?.gdsBookingReferences.join(","), found?.summary].filter(Boolean).join(" ");
    }),
  );
}

function describeUnusable({ code, path, message }: ContractProblem): string {
  return `cannot be used: ${code} at ${path || "/"}. ${message}`;
}

/** As it came, if it is no JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return body.toString("utf8");
  }
}

function problem(detail: string): string {
  return JSON.stringify({ title: "Not received", detail });
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("Give a port from 0 to 65535.");
  return Number(text);
}
