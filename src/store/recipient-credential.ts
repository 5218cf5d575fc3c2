import { AppError } from "../kernel/app-error.ts";
import { Secret } from "../kernel/secret.ts";
import type { RecipientAuthorization } from "../sender/ports.ts";
import { storeErrors } from "./error-codes.ts";
import { open, type Sealed, type SealedRow, seal } from "./sealing.ts";

/** The credential of a recipient as it is stored. */
export async function sealCredential(authorization: RecipientAuthorization): Promise<Sealed> {
  const plain =
    authorization.type === "basic"
      ? { username: authorization.username, password: authorization.password.reveal() }
      : { token: authorization.token.reveal() };
  return seal(Buffer.from(JSON.stringify(plain), "utf8"));
}

/** @throws `store.cannot_open` */
export async function openCredential(
  type: RecipientAuthorization["type"],
  sealed: SealedRow,
): Promise<RecipientAuthorization> {
  const plain: unknown = JSON.parse(Buffer.from(await open(sealed)).toString("utf8"));
  if (type === "basic") {
    return { type, username: read(plain, "username"), password: new Secret(read(plain, "password")) };
  }
  return { type, token: new Secret(read(plain, "token")) };
}

function read(plain: unknown, name: string): string {
  const value = plain !== null && typeof plain === "object" ? Reflect.get(plain, name) : undefined;
  if (typeof value === "string") return value;
  throw new AppError(
    storeErrors.cannotOpen,
    `A recipient's credential has no ${name}: give the recipient a new authorization.`,
  );
}
