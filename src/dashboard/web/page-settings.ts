/** Somebody whom demo mode has made, with the password that everybody knows. */
export interface DemoUser {
  readonly username: string;
  readonly password: string;
  readonly role: string;
}

/** What the server writes into the page for this one loading of it. */
export interface PageSettings {
  /** Without it the content security policy refuses styles that scripts add. */
  readonly styleNonce: string;
  /** Empty outside demo mode. */
  readonly demoUsers: readonly DemoUser[];
}

export function readPageSettings(page: Document): PageSettings {
  const read = (name: string): string => page.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
  const demoUsers = read("demo-users");
  return {
    styleNonce: read("style-nonce"),
    // The development server of Vite leaves the placeholder as it is.
    demoUsers: demoUsers.startsWith("[") ? (JSON.parse(demoUsers) as readonly DemoUser[]) : [],
  };
}
