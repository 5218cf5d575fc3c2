/** Who acts without being a person, as the audit stores it. */
const programs: ReadonlySet<string> = new Set([
  "clock",
  "event",
  "file",
  "policy",
  "receiver",
  "sender",
  "shipped",
  "system",
  "worker",
]);

/** What is typed for who it was, as the audit stores it: people are listed without `person:`. */
export function actorOf(typed: string): string {
  const name = typed.trim();
  if (name === "" || name.includes(":") || programs.has(name)) return name;
  return `person:${name}`;
}

/** What somebody should do about a violation; the message of the server says what it is. */
export function adviceOnViolation(code: string): string {
  return code === "audit.sealing_behind"
    ? "Nothing was changed. Check that a server is running and that no transaction has been open for minutes, and verify again."
    : "Someone changed the database directly, or it was restored only in part. Do not repair it: keep a copy of the database as it is, compare it with a backup and with the heads that you stored elsewhere, and find out who had access.";
}
