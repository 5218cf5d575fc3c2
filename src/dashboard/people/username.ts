/** Lower case, so that one name is one user. E-mail addresses are allowed. */
export const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;

/** The name of API_TOKEN in decisions. No user may have it. */
export const apiTokenUsername = "api";

export function normaliseUsername(typed: string): string {
  return typed.trim().toLowerCase();
}
