import type { RequestHandler } from "express";
import { writeProblem } from "../../kernel/problem-document.ts";

const bearerScheme = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Lets only requests with a valid `Authorization: Bearer` header through. Tokens anywhere else are ignored: URLs end up
 * in logs and histories.
 *
 * @see RFC 6750 sections 2.1 and 3
 */
export function requireToken(verifyToken: (token: string) => Promise<boolean>): RequestHandler {
  return async (request, response, next) => {
    const values = request.headersDistinct["authorization"] ?? [];
    if (values.length === 0) {
      writeProblem(
        response,
        {
          status: 401,
          code: "api.token_missing",
          title: "A token is needed",
          detail: "Send the header Authorization: Bearer <API_TOKEN>.",
        },
        { "WWW-Authenticate": 'Bearer realm="skedchange"' },
      );
      return;
    }
    const token = values.length === 1 ? bearerScheme.exec(values[0]!)?.[1] : undefined;
    if (token === undefined || !(await verifyToken(token))) {
      writeProblem(
        response,
        {
          status: 401,
          code: "api.token_invalid",
          title: "The token is not valid",
          detail: "The Authorization header must be 'Bearer' and one valid API token, and be sent once.",
        },
        { "WWW-Authenticate": 'Bearer realm="skedchange", error="invalid_token"' },
      );
      return;
    }
    next();
  };
}
