import { readAcknowledgement } from "../contract/acknowledgement.ts";
import type { ExchangeFailureCode, HttpExchange } from "./http-transport.ts";
import type { AttemptOutcome, DeliveryRules, UnreadableMessage } from "./ports.ts";
import type { TokenFailureCode } from "./token-request.ts";

/** Stored with attempts. */
export type AttemptErrorCode =
  | ExchangeFailureCode
  | TokenFailureCode
  /** The stored credential or body can't be decrypted. */
  | UnreadableMessage["reason"]["code"]
  /** It waited too long for its recipient and was released. */
  | "sender.not_sent"
  /** 401 to a valid access token. */
  | "sender.token_rejected"
  /** A 2xx whose body is not an AcknowledgeResponse with Status OK. */
  | "sender.not_acknowledged"
  /** 410: the endpoint is gone for good. */
  | "sender.recipient_gone"
  /** 3xx: not followed, because credentials must not go to another URL. */
  | "sender.redirected"
  /** 400, 413, 415 or 422: the recipient will never take these bytes. */
  | "sender.rejected"
  | "sender.refused";

export interface ExchangeVerdict {
  readonly outcome: AttemptOutcome;
  readonly errorCode: AttemptErrorCode | null;
}

/**
 * `required` accepts only an AcknowledgeResponse with Status OK, because proxies and login pages also respond with 200.
 * @see interface document, "Events", 5
 */
export function judgeExchange(
  exchange: HttpExchange,
  acknowledgement: DeliveryRules["acknowledgement"] = "required",
): ExchangeVerdict {
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
  // The status is enough, even if the body was not read completely.
  if (status === 410) return { outcome: "refused", errorCode: "sender.recipient_gone" };
  if (permanentRefusals.has(status)) return { outcome: "refused", errorCode: "sender.rejected" };
  if (status >= 300 && status <= 399) return { outcome: "refused", errorCode: "sender.redirected" };
  return { outcome: "refused", errorCode: "sender.refused" };
}

/** Bad request, content too large, unsupported media type, unprocessable content (RFC 9110 section 15.5). */
const permanentRefusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

const utf8 = new TextDecoder();

function isAcknowledgement(body: Uint8Array): boolean {
  try {
    return readAcknowledgement(JSON.parse(utf8.decode(body)));
  } catch {
    return false;
  }
}
