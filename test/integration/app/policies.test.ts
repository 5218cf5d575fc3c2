import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPolicies, type PolicyRuntime } from "../../../src/app/policies.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { type SampleName, sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { storeDecisionAsBefore } from "../../harness/old-decisions.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

const cautious = readPolicyFile("cautious").policy.version;
const observing = readPolicyFile("observe-only").policy.version;

let db: TestDatabase;
let folder: string;
let source: string;
let sourceNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-policies-"));
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  sourceNumber += 1;
  source = `source-${sourceNumber}`;
});

/** Starts as a process does. */
function start(policyFile: string | null = null, id = source): Promise<PolicyRuntime> {
  return openPolicies({
    sources: [{ id, policyFile }],
    store: createPolicyStore(db.database, systemClock),
    database: db.database,
    logger: silentLogger,
  });
}

async function aPolicyFile(name: string): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, readPolicyFile("cautious").text.replace(/^name: .*$/m, `name: ${name}`));
  return file;
}

const byAna = { note: "as agreed on Monday", actor: "person:ana" };

describe("a process that starts", () => {
  test("uses the shipped policy and keeps every shipped one as a version", async () => {
    const { policyOf, shadowOf, policies } = await start();

    expect(policyOf(source)).toMatchObject({ name: "cautious", version: cautious });
    expect(shadowOf(source)).toBeNull();
    expect(await policies.listSources(null)).toMatchObject([
      { source, active: { beganBy: "shipped" }, setByFile: null },
    ]);
    const names = (await policies.listVersions(null)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["cautious", "balanced", "airline-thresholds", "observe-only"]));
  });

  test("uses what a person has activated before", async () => {
    const { policies } = await start();
    await policies.activate({ source, role: "active", version: observing, ...byAna });

    const restarted = await start();

    expect(restarted.policyOf(source)).toMatchObject({ version: observing });
  });

  test("imports its file, which then is the truth: a person cannot activate another version", async () => {
    const file = await aPolicyFile("from-a-file");
    const { policies, policyOf } = await start(file);

    const outcome = await policies.activate({ source, role: "active", version: cautious, ...byAna });

    expect(outcome).toMatchObject({ outcome: "refused", code: "policy.set_by_file" });
    expect(policyOf(source).name).toBe("from-a-file");
    expect(await policies.listSources(null)).toMatchObject([
      { active: { name: "from-a-file", beganBy: "file" }, setByFile: file },
    ]);
  });

  test("goes back to the shipped policy when the file is no longer named", async () => {
    await start(await aPolicyFile("for-a-while"));

    const { policyOf } = await start();

    expect(policyOf(source).version).toBe(cautious);
  });
});

describe("activating", () => {
  test("applies to this process at once, and to another one when it is notified", async () => {
    const here = await start();
    const there = await start();

    await here.policies.activate({ source, role: "active", version: observing, replaces: cautious, ...byAna });

    expect(here.policyOf(source).version).toBe(observing);
    expect(there.policyOf(source).version).toBe(cautious);
    await there.refresh();
    expect(there.policyOf(source).version).toBe(observing);
  });

  test("leaves no source without an active policy", async () => {
    const { policies } = await start();

    expect(await policies.activate({ source, role: "active", version: null, ...byAna })).toMatchObject({
      outcome: "refused",
      code: "policy.none",
    });
  });

  test("refuses a source that does not exist", async () => {
    const { policies } = await start();

    expect(await policies.activate({ source: "nowhere", role: "shadow", version: cautious, ...byAna })).toMatchObject({
      outcome: "no-such-source",
    });
  });
});

describe("adding a policy", () => {
  test("stores it, and stores nothing of a policy with mistakes", async () => {
    const { policies } = await start();
    const text = readPolicyFile("cautious").text.replace(/^name: .*$/m, "name: ours");

    const added = await policies.addVersion({ text, note: null, actor: "person:ana" });
    const refused = await policies.addVersion({
      text: "version: 1\nname: x\nrules: []",
      note: null,
      actor: "person:ana",
    });

    if (!added.ok) throw new Error("refused");
    expect(await policies.readVersion(added.version, null)).toMatchObject({
      name: "ours",
      text,
      createdBy: "person:ana",
    });
    expect(refused).toMatchObject({ ok: false, problems: [{ line: 3 }] });
  });

  test("refuses one with a rule that can never decide", async () => {
    const { policies } = await start();
    const rule = (name: string) => `  - { name: ${name}, when: cancelled, do: review, reason: ${name} }\n`;
    const text = `version: 1\nname: twice\nrules:\n${rule("first")}${rule("second")}`;

    expect(await policies.addVersion({ text, note: null, actor: "person:ana" })).toMatchObject({
      ok: false,
      problems: [{ line: 5, text: expect.stringContaining("The rule never decides") }],
    });
  });
});

const samples = ["minor-delay", "misconnection", "replaced-by-two", "cancelled", "flight-number-only"] as const;

async function decideOn(runtime: PolicyRuntime, sample: SampleName, orderId: string) {
  const body = sampleNotification(sample, { orderId, reference: `R${orderId}` });
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(body), {
    policyOf: () => runtime.policyOf("default"),
    shadowOf: () => runtime.shadowOf("default"),
  });
  await worker.notify(body);
  await worker.work(orderId);
  return await worker.caseOf(orderId);
}

describe("a shadow version", () => {
  test("decides nothing; where it would have decided otherwise is counted and listed", async () => {
    const runtime = await start(null, "default");
    await runtime.policies.activate({ source: "default", role: "shadow", version: observing, ...byAna });

    const delayed = await decideOn(runtime, "minor-delay", "SHADOW1");
    const cancelled = await decideOn(runtime, "cancelled", "SHADOW2");

    expect(delayed.state).toBe("done");
    const shadow = (await runtime.policies.listSources(null))[0]?.shadow;
    expect(shadow).toMatchObject({ version: observing, compared: 2, differing: 1 });
    const page = await runtime.policies.listDifferences("default", { after: null, limit: 10 });
    expect(page).toMatchObject({
      items: [
        {
          caseId: delayed.id,
          orderId: "SHADOW1",
          active: { action: "accept", reviewQueue: null },
          shadow: { action: "review", reviewQueue: "agent" },
        },
      ],
      next: null,
    });
    expect(cancelled.decision?.action).toBe("review");

    await runtime.policies.activate({ source: "default", role: "shadow", version: null, ...byAna });
    expect(runtime.shadowOf("default")).toBeNull();
  });
});

describe("replaying", () => {
  test.each(samples)("reevaluating the decisions about %s gives the same results", async (sample) => {
    const runtime = await start(null, "default");
    const found = await decideOn(runtime, sample, `REPLAY-${sample}`);

    const reevaluations = await Promise.all(found.decisions.map(({ id }) => runtime.policies.reevaluate(id, null)));

    expect(reevaluations).toEqual(reevaluations.map(() => expect.objectContaining({ outcome: "same", because: [] })));
  });

  test("shows the difference when the stored inputs no longer lead to the decision", async () => {
    const runtime = await start(null, "default");
    const found = await decideOn(runtime, "minor-delay", "REPLAY-OTHER");
    const id = found.decisions[0]!.id;
    // Only the owner can do this, and only because the decision is still in force.
    await db.ownerDatabase.pool.query("update skedchange.decisions set rule = 'another-rule' where id = $1", [id]);

    expect(await runtime.policies.reevaluate(id, null)).toMatchObject({
      outcome: "different",
      because: ["The rule was another-rule and is small-retiming now."],
    });
  });

  test("says that another engine made a decision, instead of calling it different", async () => {
    const runtime = await start(null, "default");
    const found = await decideOn(runtime, "minor-delay", "REPLAY-ENGINE");
    const id = found.decisions[0]!.id;
    await storeDecisionAsBefore(db, id);
    await db.ownerDatabase.pool.query("update skedchange.decisions set versions = versions - 'engine' where id = $1", [
      id,
    ]);

    expect(await runtime.policies.reevaluate(id, null)).toMatchObject({
      outcome: "other-engine",
      because: ["It was made before engines had versions; this is version 3, which may decide otherwise."],
      replayed: { action: "accept", rule: "small-retiming" },
    });
  });

  test("refuses what a person decided, and what no rules were asked for", async () => {
    const runtime = await start(null, "default");
    const body = sampleNotification("misconnection", { orderId: "REPLAY-PERSON", reference: "RP" });
    const worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
    await worker.notify(body);
    await worker.work("REPLAY-PERSON");
    const open = await worker.caseOf("REPLAY-PERSON");
    await worker.worker.act({
      caseId: open.id,
      action: "close",
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    });
    const closed = await worker.caseOf("REPLAY-PERSON");

    expect(await runtime.policies.reevaluate(closed.decision!.id, null)).toMatchObject({
      outcome: "not-replayable",
      because: ["A person made it, not the rules."],
    });
  });
});
