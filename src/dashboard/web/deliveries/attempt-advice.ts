import type { AttemptErrorCode } from "../../../sender/judge-exchange.ts";

interface Advice {
  /** Null if the message of the attempt says it: it has the status of the response. */
  readonly what: string | null;
  /** What can be done about it. */
  readonly todo: string;
}

const advice: Readonly<Record<AttemptErrorCode, Advice>> = {
  "sender.not_acknowledged": {
    what: "It responded, but not with an acknowledgement.",
    todo: 'A 2xx response counts only with the body {"AcknowledgeResponse": {"Status": "OK"}}. Check that the URL leads to the push target and not to a login page or proxy, or let any 2xx response count.',
  },
  "sender.rejected": {
    what: null,
    todo: "Inform the recipient's owner of what it responded with. Resend once it accepts these notifications.",
  },
  "sender.refused": {
    what: null,
    todo: "After 401 or 403, check its authorization here; after 404, its URL. Otherwise inform the recipient's owner of what it responded with.",
  },
  "sender.redirected": {
    what: null,
    todo: "Redirects are not followed, because credentials must not go elsewhere. Enter the URL that it redirects to.",
  },
  "sender.recipient_gone": {
    what: "It says that this address is gone for good.",
    todo: "Ask its owner for the new URL, change it, and resume the recipient.",
  },
  "sender.https_required": { what: "Its URL is not https.", todo: "Enter an https URL." },
  "sender.address_forbidden": {
    what: "Its URL leads to an address that is not public.",
    todo: "Enter a public address, or allow this network in RECIPIENT_ALLOWED_NETWORKS.",
  },
  "sender.connect_failed": {
    what: "No connection can be made.",
    todo: "Check host and port of the URL. If they are right, its server is down, or its firewall keeps us out.",
  },
  "sender.tls_failed": {
    what: "No secure connection can be made.",
    todo: "Its certificate is invalid for this host or has expired, or the recipient requires a client certificate: check the one that is entered for it here.",
  },
  "sender.timeout": {
    what: "It does not respond in time.",
    todo: "Inform the recipient's owner: it should acknowledge first and work afterwards. Or raise the attempt timeout.",
  },
  "sender.connection_lost": {
    what: "The connection broke off.",
    todo: "If it goes on, inform the recipient's owner: its server or a proxy ends connections early.",
  },
  "sender.answer_malformed": {
    what: "Its response is not HTTP.",
    todo: "Check the port of the URL: another program seems to listen there.",
  },
  "sender.answer_too_large": {
    what: "Its response is longer than 64 KiB.",
    todo: "Check that the URL leads to the push target and not to a web page.",
  },
  "sender.request_failed": {
    what: "The request could not be made.",
    todo: "Check the URL and the header values of the recipient.",
  },
  "sender.token_unavailable": {
    what: "No access token was obtained.",
    todo: "Its token endpoint does not work. Check the URL of the token endpoint.",
  },
  "sender.token_refused": {
    what: "The token endpoint rejected our credentials.",
    todo: "Check client id, secret, scope and audience.",
  },
  "sender.token_rejected": {
    what: "The recipient rejected a new access token.",
    todo: "Check scope and audience, and that recipient and token endpoint belong together.",
  },
  "sender.credential_unreadable": {
    what: "The stored credentials cannot be decrypted.",
    todo: "Enter them again, or give this process the key that is missing from ENCRYPTION_KEYS.",
  },
  "sender.body_unreadable": {
    what: "The stored body cannot be decrypted.",
    todo: "Give this process the key that is missing from ENCRYPTION_KEYS.",
  },
  "sender.not_sent": {
    what: "The attempt waited too long for its turn.",
    todo: "Nothing: Skedchange retries at once.",
  },
  "sender.stopped": { what: "The process stopped meanwhile.", todo: "Nothing: Skedchange retries at once." },
};

/** Returns null for a code of another version. */
export function adviceFor(code: string): Advice | null {
  return Object.hasOwn(advice, code) ? advice[code as AttemptErrorCode] : null;
}
