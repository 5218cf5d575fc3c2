import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { AppError } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";

/** The system user of the embedded server. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly name: string;
  /** Null unless root runs the server as another user. */
  readonly switchTo: { readonly uid: number; readonly gid: number } | null;
}

export interface ServerUserOptions {
  /** Undefined on Windows. */
  readonly ownUid: number | undefined;
  readonly dataOwner: { readonly uid: number; readonly gid: number } | undefined;
  readonly sudoUid: number | undefined;
  readonly passwd: string;
}

/**
 * Returns our user unless we are root. As root: the owner of existing data, else `postgres`, the `sudo` user, or
 * `nobody`. The owner comes first, so that a user added later does not lock us out.
 * @throws `store.embedded_user_missing`
 */
export function chooseServerUser(options: ServerUserOptions): ServerUser {
  if (options.ownUid !== 0) return { name: "the current user", switchTo: null };
  const users = parsePasswd(options.passwd).filter((user) => user.uid !== 0);
  const owner = options.dataOwner;
  if (owner !== undefined && owner.uid !== 0) {
    return { name: users.find((user) => user.uid === owner.uid)?.name ?? `uid ${owner.uid}`, switchTo: owner };
  }
  const chosen =
    users.find((user) => user.name === "postgres") ??
    users.find((user) => user.uid === options.sudoUid) ??
    users.find((user) => user.name === "nobody");
  if (chosen === undefined) {
    throw new AppError(
      storeErrors.embeddedUserMissing,
      "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as. " +
        "Start Skedchange as another user, add a system user named postgres, or set DATABASE_URL.",
    );
  }
  return { name: chosen.name, switchTo: { uid: chosen.uid, gid: chosen.gid } };
}

export async function readPasswd(): Promise<string> {
  return readFile("/etc/passwd", "utf8").catch(() => "");
}

/** Tried instead of computed from mode bits, because access lists and security modules also decide. */
export function canEnter(folder: string, user: ServerUser): boolean {
  if (user.switchTo === null) return true;
  const tried = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user.switchTo, cwd: "/", stdio: "ignore" });
  return tried.status === 0;
}

function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
