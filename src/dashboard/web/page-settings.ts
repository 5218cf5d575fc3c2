export interface DemoUser {
  readonly username: string;
  readonly password: string;
  readonly role: string;
}

/** What the server writes into each page that it serves. */
export interface PageSettings {
  /** The content security policy refuses styles that scripts add without it. */
  readonly styleNonce: string;
  /** Empty outside demo mode. */
  readonly demoUsers: readonly DemoUser[];
  /** The name of the identity provider; null if people sign in with passwords only. */
  readonly identityProvider: string | null;
}

export function readPageSettings(page: Document): PageSettings {
  const read = (name: string): string => page.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
  const demoUsers = read("demo-users");
  const identityProvider = read("identity-provider");
  return {
    styleNonce: read("style-nonce"),
    identityProvider: identityProvider === "" || identityProvider.startsWith("{{") ? null : identityProvider,
    // The development server of Vite does not replace the placeholder.
    demoUsers: demoUsers.startsWith("[") ? (JSON.parse(demoUsers) as readonly DemoUser[]) : [],
  };
}
