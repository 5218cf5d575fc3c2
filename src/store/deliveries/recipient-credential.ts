import { AppError, assertNever } from "../../kernel/app-error.ts";
import { Secret } from "../../kernel/secret.ts";
import { storedBodyErrors } from "../../kernel/stored-body-errors.ts";
import {
  type ClientAuthentication,
  type ClientCertificate,
  clientAuthentications,
  type RecipientAuthorization,
} from "../../sender/ports.ts";
import type { Encrypted, EncryptedRow, Encryption, RecipientTable } from "../database/encryption.ts";

type SecretColumn = "credential" | "signing_secrets" | "client_certificate";

/** Encrypts and opens what belongs to one recipient. */
export interface RecipientEncryption {
  encrypt(column: SecretColumn, text: string): Promise<Encrypted>;
  open(column: SecretColumn, encrypted: EncryptedRow): Promise<Buffer>;
}

export function recipientEncryption(
  encryption: Encryption,
  table: RecipientTable,
  recipientId: string,
): RecipientEncryption {
  const placeOf = (column: SecretColumn) => ({ column: `${table}.${column}`, row: recipientId.toLowerCase() }) as const;
  return {
    encrypt: (column, text) => encryption.encrypt(Buffer.from(text, "utf8"), placeOf(column)),
    open: (column, encrypted) => encryption.open(encrypted, placeOf(column)),
  };
}

export async function encryptSigningSecrets(
  encryption: RecipientEncryption,
  secrets: readonly Secret[],
): Promise<Encrypted | null> {
  if (secrets.length === 0) return null;
  return encryption.encrypt("signing_secrets", JSON.stringify(secrets.map((secret) => secret.reveal())));
}

/** @throws `store.cannot_open`, also for bytes that hold no such secrets */
export async function openSigningSecrets(
  encryption: RecipientEncryption,
  encrypted: EncryptedRow,
): Promise<readonly Secret[]> {
  const plain = parse(await encryption.open("signing_secrets", encrypted));
  if (Array.isArray(plain) && plain.every((secret) => typeof secret === "string")) {
    return plain.map((secret) => new Secret(secret));
  }
  throw new AppError(
    storedBodyErrors.cannotOpen,
    "A recipient's signing secrets are no list: give the recipient new ones.",
  );
}

export async function encryptClientCertificate(
  encryption: RecipientEncryption,
  certificate: ClientCertificate | null,
): Promise<Encrypted | null> {
  if (certificate === null) return null;
  const plain = {
    ...certificate,
    privateKey: certificate.privateKey.reveal(),
    expiresAt: certificate.expiresAt.toISOString(),
  };
  return encryption.encrypt("client_certificate", JSON.stringify(plain));
}

/** @throws `store.cannot_open`, also for bytes that hold no such certificate */
export async function openClientCertificate(
  encryption: RecipientEncryption,
  encrypted: EncryptedRow,
): Promise<ClientCertificate> {
  const plain = parse(await encryption.open("client_certificate", encrypted));
  return {
    certificate: read(plain, "certificate"),
    privateKey: new Secret(read(plain, "privateKey")),
    authorities: readOptional(plain, "authorities"),
    expiresAt: new Date(read(plain, "expiresAt")),
  };
}

export function toEncryptedRow(
  body: Buffer | null,
  bodyEncoding: string | null,
  keyId: string | null,
): EncryptedRow | null {
  return body === null || bodyEncoding === null ? null : { body, bodyEncoding, keyId };
}

export async function encryptCredential(
  encryption: RecipientEncryption,
  authorization: RecipientAuthorization,
): Promise<Encrypted> {
  return encryption.encrypt("credential", JSON.stringify(toPlain(authorization)));
}

function toPlain(authorization: RecipientAuthorization): object {
  switch (authorization.type) {
    case "none":
      return {};
    case "basic":
      return { username: authorization.username, password: authorization.password.reveal() };
    case "bearer":
      return { token: authorization.token.reveal() };
    case "oauth": {
      const { type: _, clientSecret, ...rest } = authorization;
      return { ...rest, clientSecret: clientSecret.reveal() };
    }
    default:
      return assertNever(authorization);
  }
}

/** @throws `store.cannot_open`, also for bytes that hold no such credential */
export async function openCredential(
  encryption: RecipientEncryption,
  type: RecipientAuthorization["type"],
  encrypted: EncryptedRow,
): Promise<RecipientAuthorization> {
  const plain = parse(await encryption.open("credential", encrypted));
  switch (type) {
    case "none":
      return { type };
    case "basic":
      return { type, username: read(plain, "username"), password: new Secret(read(plain, "password")) };
    case "bearer":
      return { type, token: new Secret(read(plain, "token")) };
    case "oauth":
      return {
        type,
        tokenUrl: read(plain, "tokenUrl"),
        clientId: read(plain, "clientId"),
        clientSecret: new Secret(read(plain, "clientSecret")),
        clientAuthentication: readClientAuthentication(plain),
        keyId: readOptional(plain, "keyId"),
        scope: readOptional(plain, "scope"),
        audience: readOptional(plain, "audience"),
      };
    default:
      return assertNever(type);
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // Without the cause, which quotes the text.
    throw new AppError(
      storedBodyErrors.cannotOpen,
      "A recipient's credential is no JSON: give the recipient a new authorization.",
    );
  }
}

function read(plain: unknown, name: string): string {
  const value = readOptional(plain, name);
  if (value !== null) return value;
  throw new AppError(
    storedBodyErrors.cannotOpen,
    `A recipient's credential has no ${name}: give the recipient a new authorization.`,
  );
}

function readClientAuthentication(plain: unknown): ClientAuthentication {
  const written = read(plain, "clientAuthentication");
  return clientAuthentications.find((each) => each === written) ?? "basic";
}

function readOptional(plain: unknown, name: string): string | null {
  const value: unknown = plain !== null && typeof plain === "object" ? Reflect.get(plain, name) : undefined;
  return typeof value === "string" ? value : null;
}
