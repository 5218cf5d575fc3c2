import { afterAll, beforeAll, expect, test } from "vitest";
import { raceClicks } from "../../harness/click-race.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

/** Orders that are notified, decided, accepted and carried out; `npm run test:long` takes a thousand. */
const rounds = process.env["CLICK_ROUNDS"] === "full" ? 1_000 : 80;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("an accept at the version that was seen succeeds, however often a worker looks and finds nothing new", async () => {
  const states = await raceClicks(db, rounds);

  expect([...states].sort()).toEqual(["awaiting-agent", "checking"]);
}, 600_000);
