import type { controlRoutes } from "../gateway/control-routes.ts";
import { type Call, requestOf } from "../http/call-route.ts";
import type { RouteTypes } from "../http/route.ts";
import { AppError } from "../kernel/app-error.ts";
import type { NotificationTypes } from "../sender/delivery-types.ts";
import { commandThatShows, describeProblem, joinUrl, jsonRequest, readJson } from "./api-client.ts";
import { chooseToken } from "./own-settings.ts";
import { type HttpReply, reach } from "./reach.ts";
import type { ServerOptions } from "./server-options.ts";
import type { Terminal } from "./terminal.ts";

type ControlTypes = RouteTypes<typeof controlRoutes> & NotificationTypes;

/**
 * Calls a running gateway. Rejects with an AppError that has the code of the gateway's problem and a message for the
 * person at the terminal.
 */
export interface ControlClient {
  readonly url: string;
  readonly call: Call<ControlTypes>;
}

export function createControlClient(terminal: Terminal, options: ServerOptions): ControlClient {
  const { gatewayControlToken } = terminal.demoCredentials;
  const token = chooseToken(terminal, options.token, "GATEWAY_CONTROL_TOKEN", gatewayControlToken);
  return {
    url: options.url,
    call: async (name, input) => {
      const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
      const reply = await reach(terminal.fetch, joinUrl(options.url, `/control${path}`), jsonRequest(method, body), {
        option: "--url",
        start: "Start the gateway (`npx skedchange sandbox` is one), or give its address with --url.",
        credential: token,
        commandToCheck: commandThatShows(path),
      });
      return readReply(reply, options.url);
    },
  };
}

function readReply<T>(reply: HttpReply, url: string): T {
  if (reply.status === 204) return undefined as T;
  const body = readJson(reply);
  if (reply.ok && body !== null) return body as T;
  const problem = describeProblem(body);
  const isGateway = problem !== null && /^(gateway|sender)\./.test(problem.code);
  if (isGateway && reply.status === 401) {
    throw new AppError(
      "cli.token_refused",
      `The gateway at ${url} does not accept the token. Set GATEWAY_CONTROL_TOKEN as the gateway has it, or give --token.`,
    );
  }
  if (isGateway || (problem !== null && reply.status >= 500)) throw new AppError(problem.code, problem.text);
  throw notTheGateway(url, reply.status);
}

export function notTheGateway(url: string, httpStatus: number): AppError {
  return new AppError(
    "cli.not_the_gateway",
    `${url} responded with ${httpStatus} and not as the control routes do. Is it the address of the gateway side (port 4000)?`,
  );
}
