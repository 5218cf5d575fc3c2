import { readAcknowledgement } from "../contract/acknowledgement.ts";
import type { ExchangeFailureCode, HttpExchange } from "./http-transport.ts";
import type { AttemptOutcome, DeliveryRules, UnreadableMessage } from "./ports.ts";
import type { TokenFailureCode } from "./token-request.ts";

/** Why an attempt was not a delivery; stable, kept with the attempt. */
export type AttemptErrorCode =
  | ExchangeFailureCode
  | TokenFailureCode
  /** The stored credential or body cannot be opened. */
  | UnreadableMessage["reason"]["code"]
  /** It waited behind others of its recipient, and was given back. */
  | "sender.not_sent"
  /** 401 to an access token that its token endpoint had just granted, or that was in use. */
  | "sender.token_rejected"
  /** A 2xx whose body is not an AcknowledgeResponse with Status OK. */
  | "sender.not_acknowledged"
  /** 410: the endpoint is gone for good. */
  | "sender.recipient_gone"
  /** 3xx: we do not follow, because credentials must not go where an answer points. */
  | "sender.redirected"
  /** 400, 413, 415 or 422: the recipient will never take these bytes. */
  | "sender.rejected"
  /** Any other status. */
  | "sender.refused";

export interface Verdict {
  readonly outcome: AttemptOutcome;
  /** Null when it was delivered. */
  readonly errorCode: AttemptErrorCode | null;
}

/**
 * Whether the notification arrived. Only a 2xx that was read to its end and holds an AcknowledgeResponse with Status OK
 * counts: a proxy, a login page and a half-configured endpoint answer 200 as well.
 *
 * @param acknowledgement `any-success` is for recipients that cannot answer so; then any 2xx that was read to its end counts.
 * @see interface document, "Events", 5: the recipient must answer with AcknowledgeResponse.
 */
export function judgeExchange(
  exchange: HttpExchange,
  acknowledgement: DeliveryRules["acknowledgement"] = "required",
): Verdict {
  const { status, failure } = exchange;
  if (failure?.code === "sender.stopped" || status === null) {
    return { outcome: "failed", errorCode: failure?.code ?? "sender.connection_lost" };
  }
  if (status >= 200 && status <= 299) {
    if (failure?.code === "sender.answer_too_large") return { outcome: "refused", errorCode: failure.code };
    if (failure !== null) return { outcome: "failed", errorCode: failure.code };
    return acknowledgement === "any-success" || isAcknowledgement(exchange.body)
      ? { outcome: "delivered", errorCode: null }
      : { outcome: "refused", errorCode: "sender.not_acknowledged" };
  }
  // The status says it all, whether or not its page could be read to the end.
  if (status === 410) return { outcome: "refused", errorCode: "sender.recipient_gone" };
  if (permanentRefusals.has(status)) return { outcome: "refused", errorCode: "sender.rejected" };
  if (status >= 300 && status <= 399) return { outcome: "refused", errorCode: "sender.redirected" };
  return { outcome: "refused", errorCode: "sender.refused" };
}

/** Bad request, content too large, unsupported media type, unprocessable content (RFC 9110 section 15.5). */
const permanentRefusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

function isAcknowledgement(body: Uint8Array): boolean {
  try {
    return readAcknowledgement(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    // Not JSON: a page, a bare "OK", nothing at all.
    return false;
  }
}
