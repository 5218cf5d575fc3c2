import pg from "pg";

/** One database on the embedded server, as the two roles that use it. */
export interface OwnDatabase {
  /** Owns and migrates it. */
  readonly ownerUrl: string;
  /** What processes connect as: a member of `skedchange_service`, which cannot rewrite history. */
  readonly serviceUrl: string;
}

/**
 * Makes the database `name` with its owner and service logins when they are missing, and answers how to reach it.
 * Nothing happens to one that is there. The tables are made by `migrate`.
 */
export async function prepareDatabase(adminUrl: string, name: string): Promise<OwnDatabase> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    const password = decodeURIComponent(new URL(adminUrl).password);
    for (const [role, attributes] of [
      ["skedchange_service", "nologin"],
      ["skedchange_owner", "login"],
      ["skedchange_app", "login"],
    ] as const) {
      const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
      if (rowCount === 0) await client.query(`create role ${role} ${attributes}`);
      // Where the server asks for a password (TCP), it asks everybody for the same one.
      if (password !== "" && attributes === "login") {
        await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
      }
    }
    await client.query("grant skedchange_service to skedchange_app");
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(name)} owner skedchange_owner`);
    }
  } finally {
    await client.end();
  }
  return { ownerUrl: urlFor(adminUrl, "skedchange_owner", name), serviceUrl: urlFor(adminUrl, "skedchange_app", name) };
}

/** The same server, as another role on another database. */
export function urlFor(adminUrl: string, role: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
