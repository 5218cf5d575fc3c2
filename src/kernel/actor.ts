/** Who does something. */
export interface Actor {
  /** `person:` and the user name, `worker`, ... */
  readonly actor: string;
  /** The API token with which a person acts, if any. */
  readonly tokenId?: string | null | undefined;
}
