import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCase, insertContact } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** As a program writes it that knows no other state for a traveller who is to be asked. */
async function park(id: string): Promise<object | undefined> {
  const { rows } = await db.database.pool.query<{ state: string; queue: string | null }>(
    "update skedchange.cases set state = 'awaiting-traveller' where id = $1 returning state, review_queue as queue",
    [id],
  );
  return rows[0];
}

async function answer(caseId: string, given: string): Promise<void> {
  await db.ownerDatabase.pool.query(
    `insert into skedchange.traveller_contacts (
       id, case_id, source, order_id, proposal_digest, kind, channel, answer, happened_at, recorded_at, recorded_by)
     select gen_random_uuid(), id, source, order_id, proposal_digest, 'answered', 'phone', $2, now(), now(), 'person:ana'
     from skedchange.cases where id = $1`,
    [caseId, given],
  );
}

const checking = () => insertCase(db.ownerDatabase, { state: "checking" });
const toAsk = { state: "ask-traveller", queue: "agent" };
const asked = { state: "awaiting-traveller", queue: null };

describe("a case that an older program parks for the traveller", () => {
  test("is an agent's who asks them, as long as nobody has", async () => {
    const id = await checking();
    await insertContact(db.ownerDatabase.connection, id, "informed");

    expect(await park(id)).toEqual(toAsk);
    expect(await park(id)).toEqual(toAsk);
  });

  test("waits for the traveller who was asked, also for one who is undecided", async () => {
    const id = await checking();
    await insertContact(db.ownerDatabase.connection, id, "asked");

    expect(await park(id)).toEqual(asked);
    await answer(id, "undecided");
    expect(await park(id)).toEqual(asked);
  });

  test("is an agent's again once they have answered, or for another proposal", async () => {
    const answered = await checking();
    await insertContact(db.ownerDatabase.connection, answered, "asked");
    await answer(answered, "refuses");
    const changed = await checking();
    await insertContact(db.ownerDatabase.connection, changed, "asked");
    await db.database.pool.query("update skedchange.cases set proposal_digest = 'another' where id = $1", [changed]);

    expect(await park(answered)).toEqual(toAsk);
    expect(await park(changed)).toEqual(toAsk);
  });

  test("is an agent's when it is overdue", async () => {
    const id = await checking();
    await insertContact(db.ownerDatabase.connection, id, "asked");
    await db.database.pool.query(
      "update skedchange.cases set due_by = now() - interval '1 second', overdue_at = now() where id = $1",
      [id],
    );

    expect(await park(id)).toEqual({ state: "awaiting-agent", queue: "agent" });
  });
});
