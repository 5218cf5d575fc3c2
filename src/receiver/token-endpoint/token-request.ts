import type { Request } from "express";
import { readBasicCredentials } from "../../http/basic-credentials.ts";
import { assertNever } from "../../kernel/app-error.ts";
import { readBody } from "../read-body.ts";
import { TokenRefusal } from "./token-errors.ts";

/** Unverified. */
export interface TokenRequest {
  readonly proof: ClientProof;
  readonly grantType: string | null;
  readonly scopes: readonly string[] | null;
  /** RFC 8707. */
  readonly resource: string | null;
}

export type ClientProof =
  | {
      readonly method: "client_secret_basic" | "client_secret_post";
      readonly clientId: string;
      readonly secret: string;
    }
  | { readonly method: "private_key_jwt"; readonly clientId: string | null; readonly assertion: string };

const bodyBytesMax = 32 * 1024;
const bodyTimeoutMs = 5_000;

const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const secretParameters = ["client_secret", "client_assertion"];

/**
 * RFC 6749 section 4.4.2.
 * @throws TokenRefusal with the RFC's code
 */
export async function readTokenRequest(request: Request, stop: AbortSignal): Promise<TokenRequest> {
  if (request.originalUrl.includes("?")) {
    throw new TokenRefusal(
      "invalid_request",
      "Parameters are sent in the body only. URLs end up in logs: replace a secret that was in one.",
    );
  }
  const parameters = await readParameters(request, stop);
  return {
    proof: readProof(request, parameters),
    grantType: parameters.get("grant_type") ?? null,
    scopes: readScopes(parameters.get("scope")),
    resource: parameters.get("resource") ?? null,
  };
}

async function readParameters(request: Request, stop: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const [mediaType = ""] = (request.headers["content-type"] ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new TokenRefusal("invalid_request", "The body must be application/x-www-form-urlencoded.");
  }
  if (request.headers["content-encoding"] !== undefined) {
    throw new TokenRefusal("invalid_request", "The body must not be compressed.");
  }
  const reading = await readBody(request, {
    encoding: "identity",
    bytesMax: bodyBytesMax,
    timeoutMs: bodyTimeoutMs,
    stop,
  });
  switch (reading.outcome) {
    case "read":
      return parseForm(reading.body.toString("utf8"));
    case "too-long":
      throw new TokenRefusal("invalid_request", `The body is longer than ${bodyBytesMax} bytes.`, { status: 413 });
    case "stopped":
      throw new TokenRefusal("temporarily_unavailable", "This process is stopping. Ask again.", {
        status: 503,
        headers: { "Retry-After": "1", Connection: "close" },
      });
    case "too-slow":
    case "aborted":
    case "not-inflatable":
      throw new TokenRefusal("invalid_request", "The body did not arrive.", {
        status: 408,
        headers: { Connection: "close" },
      });
    default:
      return assertNever(reading);
  }
}

/** Each parameter at most once; one without a value counts as absent (RFC 6749 section 3.2). */
function parseForm(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw new TokenRefusal("invalid_request", "A parameter is there twice.");
    seen.add(name);
    if (value !== "") parameters.set(name, value);
  }
  return parameters;
}

function readProof(request: Request, parameters: ReadonlyMap<string, string>): ClientProof {
  const headers = request.headersDistinct.authorization ?? [];
  const clientId = parameters.get("client_id") ?? null;
  const secret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  const assertionType = parameters.get("client_assertion_type");
  const ways = headers.length + secretParameters.filter((name) => parameters.has(name)).length;
  if (ways > 1) throw new TokenRefusal("invalid_request", "The client must authenticate in exactly one way.");

  if (assertion !== undefined || assertionType !== undefined) {
    if (assertion === undefined || assertionType !== jwtBearer) {
      throw new TokenRefusal("invalid_request", `A client_assertion goes with client_assertion_type ${jwtBearer}.`);
    }
    return { method: "private_key_jwt", clientId, assertion };
  }
  if (headers.length === 1) {
    const credentials = readClientBasic(headers[0]);
    if (clientId !== null && clientId !== credentials.clientId) {
      throw new TokenRefusal("invalid_request", "client_id differs from the client in the Authorization header.");
    }
    return { method: "client_secret_basic", ...credentials };
  }
  if (secret === undefined) throw new TokenRefusal("invalid_client", "The client did not authenticate.");
  if (clientId === null) throw new TokenRefusal("invalid_request", "client_secret goes with client_id.");
  return { method: "client_secret_post", clientId, secret };
}

/** Basic credentials whose halves are form-encoded first (RFC 6749 section 2.3.1). */
function readClientBasic(header: string | undefined): { readonly clientId: string; readonly secret: string } {
  const credentials = readBasicCredentials(header);
  const clientId = credentials === null ? null : decodeForm(credentials.username);
  const secret = credentials === null ? null : decodeForm(credentials.password);
  if (clientId !== null && secret !== null) return { clientId, secret };
  throw new TokenRefusal(
    "invalid_client",
    "The Authorization header is no Basic header of a client id and a secret, each form-encoded (RFC 6749 section 2.3.1).",
  );
}

function decodeForm(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function readScopes(scope: string | undefined): readonly string[] | null {
  if (scope === undefined) return null;
  const scopes = scope.split(" ");
  if (scopes.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) return [...new Set(scopes)];
  throw new TokenRefusal("invalid_scope", "The scope is malformed.");
}
