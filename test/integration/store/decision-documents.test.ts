import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reevaluateDecision } from "../../../src/app/reevaluate-decision.ts";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { severityOf } from "../../../src/itinerary/severity.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { readDecision, readStoredDecisions, type StoredDecision } from "../../../src/store/cases/stored-decisions.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { storeDecisionAsBefore } from "../../harness/old-decisions.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { cautiousPolicy, createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
let orderNumber = 0;
let orderId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  orderNumber += 1;
  orderId = `DOCUMENT${orderNumber}`;
  gateway = createScriptedGateway(sampleNotification("misconnection", { orderId, reference: `R${orderNumber}` }));
  worker = createWorkerUnderTest(db.database, gateway);
});
afterAll(() => db.drop());

describe("what a decision is based on", () => {
  test("is one compressed value, and all of it is read again", async () => {
    const { decisions, facts } = await decided();

    const [row] = await rowsOf<{ bytes: number; stored: number; others: unknown[] }>(
      "select document_bytes as bytes, octet_length(document) as stored, array[trace, inputs] as others from skedchange.decisions where id = $1",
      decisions[0]!.id,
    );
    expect(row!.stored).toBeLessThan(row!.bytes / 4);
    expect(row!.others).toEqual([null, null]);
    expect(Object.keys(facts!).length).toBeGreaterThan(100);
    expect(decisions[0]!.trace).toEqual(expect.arrayContaining([expect.objectContaining({ outcome: "not-matched" })]));
    expect(decisions[0]!.versions).toMatchObject({ airports: "test", policy: cautiousPolicy.version });
    expect(await replayed(decisions[0]!.id)).toBe("same");
  });

  test("has well-formed parts beside it, for statements and for programs of the version before", async () => {
    const { decisions, facts } = await decided();

    const [row] = await rowsOf<Pick<StoredDecision, "facts" | "itineraries" | "legal" | "versions">>(
      "select facts, itineraries, legal, versions from skedchange.decisions where id = $1",
      decisions[0]!.id,
    );
    const names = Object.keys(row!.facts!);
    expect(names.length).toBeLessThan(60);
    expect(row!.facts).toEqual(Object.fromEntries(Object.entries(facts!).filter(([name]) => names.includes(name))));
    expect(severityOf(row!.facts!)).toEqual(severityOf(facts!));
    expect(row!.itineraries).toEqual(decisions[0]!.itineraries);
    expect(row!.legal).toMatchObject({ hold: { held: expect.any(Boolean) }, presets: [], verdicts: expect.any(Array) });
    expect(row!.versions).toMatchObject({ policy: cautiousPolicy.version });
  });

  test("is read from the columns if an older program stored it there", async () => {
    const before = await decided();
    for (const { id } of before.decisions) await storeDecisionAsBefore(db, id);

    const { snoozableUntil, ...same } = before;
    expect(await worker.caseOf(orderId)).toMatchObject(same);
    expect(await replayed(before.decisions[0]!.id)).toBe("same");
    expect(await act({ action: "accept" })).toMatchObject({ outcome: "accepted" });
    const [newest] = (await worker.caseOf(orderId)).decisions;
    expect(newest).toMatchObject({ decidedBy: "person:ana", facts: before.facts, legal: before.decisions[0]!.legal });
  });

  test("goes on with a person's decision, whole", async () => {
    const before = await decided();

    expect(await act({ action: "accept" })).toMatchObject({ outcome: "accepted" });

    const [newest] = (await worker.caseOf(orderId)).decisions;
    const { facts, itineraries, legal, versions } = before.decisions[0]!;
    expect(newest).toMatchObject({ decidedBy: "person:ana", facts, itineraries, legal, versions });
  });
});

describe("a document that cannot be read", () => {
  test.each([
    ["of another decision", "store.body_misplaced"],
    ["with a key that is lost", "store.cannot_open"],
  ])("%s is refused, and the case stays workable with what is known beside it", async (what, code) => {
    const other = await decided();
    orderId = `${orderId}B`;
    const { decisions, itineraries } = await decided();
    const { id } = decisions[0]!;
    await db.ownerDatabase.pool.query(
      what === "of another decision"
        ? "update skedchange.decisions d set document = o.document from skedchange.decisions o where d.id = $1 and o.id = $2"
        : "update skedchange.decisions set key_id = 'lost' where id = $1 and $2::uuid is not null",
      [id, other.decisions[0]!.id],
    );

    await expect(readDecision(db.database, id, null)).rejects.toMatchObject({ code });
    const shown = await worker.caseOf(orderId);
    expect(shown).toMatchObject({ state: "awaiting-agent", itineraries, decisions: [{ trace: null, legal: null }] });
    expect(Object.keys(shown.facts!).length).toBeGreaterThan(40);
    const stored: StoredDecision[] = [];
    for await (const batch of readStoredDecisions(db.database, { since: null, until: null, source: null }, 10)) {
      stored.push(...batch.filter((decision) => decision.id === id));
    }
    expect(stored).toMatchObject([{ inputs: null }]);
    expect(await act({ action: "accept" })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });
});

/** A case that waits for a person. */
async function decided() {
  const body = sampleNotification("misconnection", { orderId, reference: `R${orderNumber}` });
  gateway.status = body;
  await worker.notify(body);
  await worker.work(orderId);
  const found = await worker.caseOf(orderId);
  expect(found.state).toBe("awaiting-agent");
  return found;
}

async function act(command: CaseCommand) {
  const { id: caseId, version } = await worker.caseOf(orderId);
  const by = { actor: "person:ana", note: null, visible: null, tokenId: null };
  return await createCaseStore(db.database, gateway.clock, dialect).act({ caseId, version, ...by, ...command }, null);
}

async function replayed(id: string) {
  const stored = await readDecision(db.database, id, null);
  return reevaluateDecision(stored!, cautiousPolicy).outcome;
}

async function rowsOf<Row>(statement: string, ...values: readonly unknown[]): Promise<Row[]> {
  return (await db.ownerDatabase.pool.query(statement, [...values])).rows as Row[];
}
