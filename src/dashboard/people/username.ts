/** Plain enough to be read out on the phone, and for e-mail addresses. Lower case, so that one name is one person. */
export const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;

/** How decisions made with API_TOKEN are signed; nobody else may be called so. */
export const apiTokenUsername = "api";

/** The name as it is stored and compared. */
export function normaliseUsername(typed: string): string {
  return typed.trim().toLowerCase();
}
