import type { Clock } from "./clock.ts";
import { takeRandomBytes } from "./random-bytes.ts";

/** A UUIDv7 (RFC 9562 section 5.7), which sorts by creation time, so index inserts stay local. */
export function newId(clock: Clock): string {
  const bytes = takeRandomBytes(16);
  bytes.writeUIntBE(clock.now().getTime(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Sorts before every id that is made from then on, and after those made before. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
