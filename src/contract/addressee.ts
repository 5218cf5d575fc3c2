import type { StatedContacts } from "./read-contacts.ts";

/** Addresses at which no traveller is reached, of the source. In lower case. */
export interface OwnAddresses {
  /** Domains of the agency; their subdomains count, too. */
  readonly domains: readonly string[];
  /** Such as those that the agency names to the gateway. */
  readonly addresses: readonly string[];
  /** Who arranges travel for others, and is written to instead of them, whatever else is said here. */
  readonly arrangers: readonly string[];
}

export const noOwnAddresses: OwnAddresses = { domains: [], addresses: [], arrangers: [] };

/** Why nobody may be written to at an address. */
export const unusableEmails = ["not-an-address", "own-domain", "own-address"] as const;
export type UnusableEmail = (typeof unusableEmails)[number];

/**
 * Returns why a message to this address would reach no traveller; null if it may. Whoever enters an address of the agency
 * has informed nobody by it (Court of Justice of the EU, C-263/20).
 */
export function whyUnusable(email: string, own: OwnAddresses): UnusableEmail | null {
  const address = email.toLowerCase();
  const [, domain] = /^[^\s@,;<>"]+@((?:[a-z\d-]+\.)+[a-z\d-]{2,})$/u.exec(address) ?? [];
  if (domain === undefined) return "not-an-address";
  if (own.arrangers.includes(address)) return null;
  if (own.addresses.includes(address)) return "own-address";
  return own.domains.some((of) => domain === of || domain.endsWith(`.${of}`)) ? "own-domain" : null;
}

/** The one e-mail address to which messages about the order go; null if there is none. Who reads it answers for all. */
export function addresseeOf({ emails }: Pick<StatedContacts, "emails">, own: OwnAddresses): string | null {
  return emails.find((email) => whyUnusable(email, own) === null) ?? null;
}

/** Whether a traveller can be asked, by e-mail or by telephone. */
export function isContactable(contacts: Pick<StatedContacts, "emails" | "telephones">, own: OwnAddresses): boolean {
  return contacts.telephones.length > 0 || addresseeOf(contacts, own) !== null;
}
