/** Who does something. */
export interface Actor {
  /** `person:` and the user name, `worker`, ... */
  readonly actor: string;
  /** The API token with which a person acts, if any. */
  readonly tokenId?: string | null | undefined;
}

/** Whoever holds API_TOKEN: nobody's account. */
export const apiTokenActor = "person:api";

/** A system of the agency that has acknowledged an event. */
export const eventActor = "event";

/** Returns `person:ann` as `ann`; with the name of the API token, if they acted with one. */
export function describeActor(actor: string, token: string | null = null): string {
  const who = nameOfActor(actor);
  return token === null ? who : `token ${token} of ${who}`;
}

function nameOfActor(actor: string): string {
  if (actor === "policy") return "the policy";
  if (actor === "worker") return "Skedchange";
  if (actor === "receiver") return "the gateway";
  if (actor === eventActor) return "an acknowledged event";
  if (actor === "shipped") return "Skedchange";
  if (actor === "file") return "a file";
  if (actor === apiTokenActor) return "token API_TOKEN";
  return actor.startsWith("person:") ? actor.slice("person:".length) : actor;
}
