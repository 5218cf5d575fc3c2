import pg from "pg";
import { databaseRoleOf, rightsOfRoles, serviceRole } from "../database/role-rights.ts";

export interface OwnDatabase {
  readonly ownerUrl: string;
  /** For processes: a member of `skedchange_service`, which can't rewrite history. */
  readonly serviceUrl: string;
}

/** Creates the database with its owner and service logins if missing; `migrate` creates the tables. */
export async function prepareDatabase(adminUrl: string, name: string): Promise<OwnDatabase> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    const password = decodeURIComponent(new URL(adminUrl).password);
    for (const [role, attributes] of [
      [serviceRole, "nologin"],
      ...Object.keys(rightsOfRoles).map((role) => [databaseRoleOf(role), "nologin"] as const),
      ["skedchange_owner", "login"],
      ["skedchange_app", "login"],
    ] as const) {
      const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
      if (rowCount === 0) await client.query(`create role ${role} ${attributes}`);
      // A server that requires a password (TCP) requires the same one of every role.
      if (password !== "" && attributes === "login") {
        await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
      }
    }
    await client.query(`grant ${serviceRole} to skedchange_app`);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(name)} owner skedchange_owner`);
    }
  } finally {
    await client.end();
  }
  return { ownerUrl: urlFor(adminUrl, "skedchange_owner", name), serviceUrl: urlFor(adminUrl, "skedchange_app", name) };
}

export function urlFor(adminUrl: string, role: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
