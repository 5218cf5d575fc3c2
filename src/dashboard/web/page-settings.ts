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
}

export function readPageSettings(page: Document): PageSettings {
  const read = (name: string): string => page.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
  const demoUsers = read("demo-users");
  return {
    styleNonce: read("style-nonce"),
    // The development server of Vite does not replace the placeholder.
    demoUsers: demoUsers.startsWith("[") ? (JSON.parse(demoUsers) as readonly DemoUser[]) : [],
  };
}
