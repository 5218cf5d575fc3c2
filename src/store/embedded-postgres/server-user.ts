import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { AppError } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";

/** The system user that the embedded server runs as. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly name: string;
  /** Set when it is another user than ourselves, which only root can arrange. */
  readonly switchTo: { readonly uid: number; readonly gid: number } | null;
}

export interface ServerUserOptions {
  /** Our own effective user id; undefined on Windows. */
  readonly ownUid: number | undefined;
  /** Who owns the data that is already there; undefined when there is none. */
  readonly dataOwner: { readonly uid: number; readonly gid: number } | undefined;
  /** The user id behind `sudo`, if that is how we became root. */
  readonly sudoUid: number | undefined;
  /** The text of /etc/passwd. */
  readonly passwd: string;
}

/**
 * Ourselves, unless we are root. As root: the owner of the data that is there, else `postgres`, else the user behind
 * `sudo`, else `nobody`. The owner comes first because a user that is added to the machine later must not lock us out
 * of our own data.
 *
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

/** /etc/passwd, or nothing on systems without one. */
export async function readPasswd(): Promise<string> {
  return readFile("/etc/passwd", "utf8").catch(() => "");
}

/**
 * Whether the user can get into a folder through all of its parents. It is tried, not computed from mode bits, so that
 * access lists and security modules have their say.
 */
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
