import { createHash } from "node:crypto";
import { networkOf } from "../../kernel/networks.ts";
import type { AttemptSubjects } from "./ports.ts";

/** What failed sign-ins are counted by. Digests, because people type passwords into the wrong field. */
export function attemptSubjects(username: string, address: string): AttemptSubjects {
  const network = networkOf(address);
  return {
    device: digest(`device ${network} ${username}`),
    username: digest(`username ${username}`),
    address: digest(`address ${network}`),
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}
