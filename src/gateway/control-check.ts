import type { Request, RequestHandler } from "express";
import type { ClientAddressOf } from "../http/client-address.ts";
import { writeProblem } from "../http/problem-document.ts";
import { networkOf } from "../kernel/networks.ts";

export interface ControlAccess {
  /** Compares in constant time. */
  readonly verifyToken: (token: string, network: string) => Promise<boolean>;
  readonly addressOf: ClientAddressOf;
  /** Whether a request without a token comes from a page with a session. Default: no. */
  readonly isSignedIn?: (request: Request) => boolean;
}

export const controlNotAuthorized = "gateway.control_not_authorized";

/** Every request needs `Authorization: Bearer <token>` or the session of a page. */
export function createControlCheck(access: ControlAccess): RequestHandler {
  return async (request, response, next) => {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const isAuthenticated =
      token === undefined
        ? access.isSignedIn?.(request) === true
        : await access.verifyToken(token, networkOf(access.addressOf(request)));
    if (isAuthenticated) {
      next();
      return;
    }
    const problem = {
      status: 401,
      code: controlNotAuthorized,
      title: "Not authorized",
      detail: "Send Authorization: Bearer with the value of GATEWAY_CONTROL_TOKEN.",
    };
    writeProblem(response, problem, { "WWW-Authenticate": 'Bearer realm="gateway control"' });
  };
}
