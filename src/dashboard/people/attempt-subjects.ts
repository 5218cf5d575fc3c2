import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { AttemptSubjects } from "./ports.ts";

/** What failed sign-ins are counted by. Digests, because people type passwords into the wrong field. */
export function attemptSubjects(username: string, address: string): AttemptSubjects {
  return { username: digest(`username ${username}`), address: digest(`address ${networkOf(address)}`) };
}

/** The first 64 bits of an IPv6 address, because whoever has one address has all of its network. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.replace(/%.*$/, "").toLowerCase();
  if (!isIPv6(plain)) return address;
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}
