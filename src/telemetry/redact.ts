import { codeOf } from "../kernel/app-error.ts";

const redacted = "[redacted]";

/** Deeper than any line that we write on purpose; also ends cycles. */
const depthMax = 8;

/** Compared without case, `-` and `_`: credentials, then the passenger and payment fields of the interface document. */
const secretNames = new Set([
  ...["authorization", "proxyauthorization", "cookie", "setcookie", "xapikey", "apikey", "authtoken", "token"],
  ...["apitoken", "accesstoken", "refreshtoken", "bearertoken", "controltoken", "password", "passphrase", "secret"],
  ...["clientsecret", "credential", "credentials", "privatekey", "databaseurl", "databaseownerurl", "queueurl"],
  ...["body", "rawbody"],
  ...["firstname", "middlename", "lastname", "givenname", "surname", "nametitle", "passengername", "birthdate"],
  ...["dateofbirth", "gender", "passenger", "passengers", "passengerlist", "contactinfo", "contactinfolist"],
  ...["email", "emailaddress", "emailcontact", "contactemail", "contactnumber", "contactaddress", "phone"],
  ...["phonenumber", "traveldocument", "documentnumber", "identitydocument", "loyaltyprogramaccount"],
  ...["payment", "payments", "paymentcard", "cardnumber", "cardholdername", "seriescode", "chequenumber"],
]);

/** Endings of secret fields: `gatewayAccessToken`, `OCN_BASIC_PASSWORD`, `OCN_BEARER_TOKENS`. */
const secretEndings = /(?:token|tokens|password|secret|secrets|apikey|cookie|authorization)$/;

const urlCredentials = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi;

/** In a text, such as a library's error message. */
const authorizationValue = /\b(Basic|Bearer)\s+[A-Za-z0-9._~+/=-]{6,}/g;

/**
 * Replaces secret and personal values by `[redacted]` at any depth, removes credentials in texts, and turns errors into
 * `{code, message, stack, cause}`.
 */
export function redactFields(fields: object): Record<string, unknown> {
  return redactMembers(fields, 0);
}

export function redactText(text: string): string {
  return text.replace(urlCredentials, `$1${redacted}@`).replace(authorizationValue, `$1 ${redacted}`);
}

function redactMembers(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = isSecretName(name) && !isHarmless(member) ? redacted : redactValue(member, depth + 1);
  }
  return copy;
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, "");
  return secretNames.has(plain) || secretEndings.test(plain);
}

function isHarmless(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "boolean";
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
  if (depth > depthMax) return "[too deep]";
  if (value instanceof Error) return describeError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((member) => redactValue(member, depth + 1));
  // `Secret` and `URL` define how they are shown.
  if ("toJSON" in value && typeof value.toJSON === "function") return redactValue(value.toJSON(), depth + 1);
  return redactMembers(value, depth);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  return {
    code: codeOf(error),
    message: redactText(error.message),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}
