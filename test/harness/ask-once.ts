import pg from "pg";

/** Runs one statement on a connection of its own. Rejects within a second if nobody listens. */
export async function askOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}
