import { readDecision } from "../../src/store/cases/stored-decisions.ts";
import type { TestDatabase } from "./database.ts";

/** Stores a decision as programs did before there were documents: all of it in columns, as JSON. */
export async function storeDecisionAsBefore({ database, ownerDatabase }: TestDatabase, id: string): Promise<void> {
  const stored = await readDecision(database, id, null);
  const { facts, trace, inputs, legal, versions } = stored!;
  const columns = [facts, trace, inputs, legal, versions].map((value) => JSON.stringify(value));
  await ownerDatabase.pool.query(
    `update skedchange.decisions
     set facts = $2, trace = $3, inputs = $4, legal = $5, versions = $6, document = null, document_encoding = null,
       document_bytes = null, key_id = null
     where id = $1`,
    [id, ...columns],
  );
}
