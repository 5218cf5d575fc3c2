import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createPolicyStore, listenForActivations, type PolicyStore } from "../../../src/store/policies.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const versions = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [string, string, string];
const [first, second, third] = versions;

let db: TestDatabase;
let store: PolicyStore;
let source: string;
let sourceNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  store = createPolicyStore(db.database, systemClock);
  for (const version of versions) {
    await store.saveVersion({
      version,
      name: "our-desk",
      text: `# ${version[0]}`,
      createdBy: "person:ana",
      note: "ours",
    });
  }
});
afterAll(() => db.drop());
beforeEach(() => {
  sourceNumber += 1;
  source = `source-${sourceNumber}`;
});

const activate = (version: string, replaces?: string | null, actor = "person:ana") =>
  store.activate({
    source,
    role: "active",
    version,
    note: "tried for a week",
    actor,
    ...(replaces === undefined ? {} : { replaces }),
  });
const shadow = (version: string) =>
  store.activate({ source, role: "shadow", version, note: "compared", actor: "person:ana" });
const activeAndShadow = async () => {
  const terms = (await store.listCurrentTerms()).filter((term) => term.source === source);
  const versionIn = (role: string) => terms.find((term) => term.role === role)?.version ?? null;
  return { active: versionIn("active"), shadow: versionIn("shadow") };
};
const activeVersions = async () =>
  (await store.listCurrentTerms()).filter((term) => term.source === source).map(({ version }) => version);

describe("a version", () => {
  test("stays as it was kept first, whoever keeps it again", async () => {
    const isNew = await store.saveVersion({ version: first, name: "x", text: "other", createdBy: "file", note: null });

    expect(isNew).toBe(false);
    expect(await store.readVersion(first, null)).toMatchObject({
      name: "our-desk",
      text: "# a",
      createdBy: "person:ana",
    });
  });

  test.each(["update skedchange.policy_versions set text = 'other'", "delete from skedchange.policy_versions"])(
    "can be changed by nobody, not even the owner (%s)",
    async (statement) => {
      await expect(db.ownerDatabase.pool.query(statement)).rejects.toMatchObject({
        constraint: "policy_versions_never_change",
      });
      await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
    },
  );
});

describe("activating", () => {
  test("ends the term of the version before and keeps who did it, when and why", async () => {
    await activate(first);
    await activate(second, first, "person:ben");

    expect(await activeVersions()).toEqual([second]);
    expect(await store.listTerms(source)).toMatchObject([
      { version: second, beganBy: "person:ben", note: "tried for a week", endedAt: null },
      { version: first, beganBy: "person:ana", endedAt: expect.any(Date), endedBy: "person:ben" },
    ]);
  });

  test("is won by one of several people at the same moment; the others learn who was faster", async () => {
    await activate(first);

    const outcomes = await Promise.all([second, third, second, third].map((version) => activate(version, first)));

    expect(outcomes.filter(({ outcome }) => outcome === "activated")).toHaveLength(1);
    const [winner] = await activeVersions();
    expect(outcomes.filter(({ outcome }) => outcome === "conflict")).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: "conflict", current: winner })),
    );
    expect(await store.listTerms(source)).toHaveLength(2);
  });

  test("leaves exactly one active version, however many people do it without looking", async () => {
    await Promise.all([first, second, third, first, second, third].map((version) => activate(version)));

    expect(await activeVersions()).toHaveLength(1);
  });

  test("of the active version changes nothing", async () => {
    await activate(first);
    await activate(first);

    expect(await store.listTerms(source)).toHaveLength(1);
  });

  test("of the version that is compared ends the comparison, which has nothing to compare with any more", async () => {
    await activate(first);
    await shadow(second);

    await activate(third);
    expect(await activeAndShadow()).toEqual({ active: third, shadow: second });
    await activate(second, third, "person:ben");

    expect(await activeAndShadow()).toEqual({ active: second, shadow: null });
    expect((await store.listTerms(source)).find(({ role }) => role === "shadow")).toMatchObject({
      version: second,
      endedAt: expect.any(Date),
      endedBy: "person:ben",
    });
  });

  test("of the active version as its own shadow is refused", async () => {
    await activate(first);
    await shadow(second);

    expect(await shadow(first)).toMatchObject({ outcome: "refused", code: "policy.is_active" });
    expect(await activeAndShadow()).toEqual({ active: first, shadow: second });
  });

  test("of a version that is not kept is refused", async () => {
    expect(await activate("d".repeat(64))).toMatchObject({ outcome: "no-such-version" });
    expect(await activeVersions()).toEqual([]);
  });

  test("is announced to every process that listens", async () => {
    let received = (): void => {};
    const reported = new Promise<void>((resolve) => {
      received = resolve;
    });
    const listener = await listenForActivations({
      url: db.serviceUrl,
      applicationName: "test",
      onChange: () => received(),
      onError: () => {},
    });
    try {
      await activate(first);
      await reported;
    } finally {
      await listener.close();
    }
  });
});

describe("terms", () => {
  test("that have ended cannot be reopened", async () => {
    await activate(first);
    await activate(second);

    await expect(
      db.ownerDatabase.pool.query(
        "update skedchange.policy_terms set ended_at = null where source = $1 and version = $2",
        [source, first],
      ),
    ).rejects.toMatchObject({ constraint: "policy_terms_end_once" });
  });

  test("cannot overlap, whatever the program does", async () => {
    await activate(first);

    await expect(
      db.database.pool.query(
        `insert into skedchange.policy_terms (id, source, role, version, began_at, began_by)
         values (gen_random_uuid(), $1, 'active', $2, now(), 'person:ana')`,
        [source, second],
      ),
    ).rejects.toMatchObject({ constraint: "policy_terms_one_at_a_time" });
  });
});
