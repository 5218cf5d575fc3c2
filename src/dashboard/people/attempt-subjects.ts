import { createHash } from "node:crypto";
import { networkOf } from "../../kernel/networks.ts";
import type { AttemptSubjects } from "./ports.ts";

/** Where somebody tries to sign in. */
export interface AttemptPlace {
  readonly address: string;
  /** Null for a browser that has not signed in before, and for programs. */
  readonly browserId: string | null;
}

/** What failed sign-ins are counted by. Digests, because people type passwords into the wrong field. */
export function attemptSubjects(username: string, { address, browserId }: AttemptPlace): AttemptSubjects {
  const network = networkOf(address);
  return {
    device: browserId === null ? digest(`device ${network} ${username}`) : browserSubject(username, browserId),
    username: digest(`username ${username}`),
    address: digest(`address ${network}`),
  };
}

export function browserSubject(username: string, browserId: string): Buffer {
  return digest(`browser ${browserId} ${username}`);
}

/** What wrong codes of a second factor are counted by. */
export function codeSubject(userId: string): Buffer {
  return digest(`code ${userId}`);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}
