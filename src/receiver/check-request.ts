import type { Request } from "express";
import { invalidRequestChallenge } from "./authentication.ts";
import { type Refused, refuse } from "./push.ts";
import { receiverErrors } from "./receiver-problems.ts";

/** Refuses what no credentials could make acceptable. */
export function checkRequest(request: Request): Refused | { readonly outcome: "acceptable" } {
  if (request.method !== "POST") return refuse(receiverErrors.methodNotAllowed, { headers: { Allow: "POST" } });
  const invalidRequest = { headers: { "WWW-Authenticate": invalidRequestChallenge } };
  if (hasTokenInUrl(request)) return refuse(receiverErrors.tokenInUrl, invalidRequest);
  // Node.js uses the first header; a proxy in between may have checked another.
  if ((request.headersDistinct.authorization?.length ?? 0) > 1) {
    return refuse(receiverErrors.severalAuthorizations, invalidRequest);
  }
  return { outcome: "acceptable" };
}

function hasTokenInUrl(request: Request): boolean {
  const queryAt = request.originalUrl.indexOf("?");
  if (queryAt === -1) return false;
  return [...new URLSearchParams(request.originalUrl.slice(queryAt + 1)).keys()].some(
    (name) => name.toLowerCase() === "access_token",
  );
}
