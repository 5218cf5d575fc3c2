import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { raceClicks } from "../../harness/click-race.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

// A thousand orders are notified, decided, accepted and carried out.
test("an accept at the version that was seen succeeds in 1,000 looks of a worker that find nothing new", async () => {
  const states = await raceClicks(db, 1_000);

  expect([...states].sort()).toEqual(["awaiting-agent", "checking"]);
}, 600_000);
