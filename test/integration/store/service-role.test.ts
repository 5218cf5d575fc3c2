import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { caseTransitions, effectTransitions } from "../../../src/cases/lifecycle.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const insufficientPrivilege = { code: "42501" };

let db: TestDatabase;
let ids: { notification: string; case: string; decision: string; effect: string };

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Runs as the service role, which is what the processes of Skedchange are. */
function run(text: string, values: readonly unknown[] = []) {
  return db.database.pool.query(text, [...values]);
}

// The history of one order, written by the service role: what it can do.
beforeEach(async () => {
  ids = { notification: randomUUID(), case: randomUUID(), decision: randomUUID(), effect: randomUUID() };
  const order = ids.case;
  await run(
    `insert into skedchange.notifications (id, source, received_at, digest, body, body_encoding, body_bytes, state, problem)
     values ($1, 'default', '2026-05-04', sha256($2), '\\x00', 'gzip', 1, 'quarantined', '{"code": "test"}')`,
    [ids.notification, Buffer.from(ids.notification)],
  );
  await run(
    `insert into skedchange.notification_digests (source, digest, notification_id, received_at, last_receipt_at)
     values ('default', sha256($2), $1, '2026-05-04', '2026-05-04')`,
    [ids.notification, Buffer.from(ids.notification)],
  );
  await run("insert into skedchange.orders (source, order_id) values ('default', $1)", [order]);
  await run(
    `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
     values ($1, 'default', $2, 'received', '2026-05-04', '2026-05-04')`,
    [ids.case, order],
  );
  await run(
    `insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
     values ($1, $2, '2026-05-04', '2026-05-04')`,
    [ids.case, ids.notification],
  );
  await run(
    `insert into skedchange.decisions (id, case_id, decided_at, decided_by, action, rule, reasons, versions)
     values ($1, $2, '2026-05-04', 'policy', 'accept', 'small-delay', '[]', '{}')`,
    [ids.decision, ids.case],
  );
  await run(
    `insert into skedchange.effects (id, case_id, decision_id, source, order_id, action, gds_booking_references,
       proposal_digest, state, lease_fence, planned_at)
     values ($1, $2, $3, 'default', $4, 'accept', '{QX7R2M}', 'digest', 'planned', 1, '2026-05-04')`,
    [ids.effect, ids.case, ids.decision, order],
  );
  await run(
    "insert into skedchange.case_events (case_id, at, kind, actor) values ($1, '2026-05-04', 'case.opened', 'worker')",
    [ids.case],
  );
});

describe("the service role cannot rewrite history", () => {
  test.each([
    ["the body of a notification", "update skedchange.notifications set body = '\\x01'"],
    ["the digest of a notification", "update skedchange.notifications set digest = sha256('x')"],
    ["why a notification is quarantined", "update skedchange.notifications set problem = null"],
    ["a notification, by deleting it", "delete from skedchange.notifications"],
    ["a notification, in its partition", "update skedchange.notifications_default set body = '\\x01'"],
    ["all notifications at once", "truncate skedchange.notifications"],
    ["whom a digest belongs to", "update skedchange.notification_digests set notification_id = gen_random_uuid()"],
    ["a digest, by deleting it", "delete from skedchange.notification_digests"],
    ["which order a case is about", "update skedchange.cases set order_id = 'other'"],
    ["a case, by deleting it", "delete from skedchange.cases"],
    ["what a case rests on", "delete from skedchange.case_notifications"],
    ["what the gateway sent", "update skedchange.status_views set body = '\\x01'"],
    ["a decision", "update skedchange.decisions set action = 'none'"],
    ["the reasons of a decision", "update skedchange.decisions set reasons = '[1]'"],
    ["what a decision is based on", "update skedchange.decisions set document = '\\x01'"],
    ["a decision, by deleting it", "delete from skedchange.decisions"],
    ["what an effect is", "update skedchange.effects set action = 'cancel'"],
    ["which proposal an effect was for", "update skedchange.effects set proposal_digest = 'other'"],
    ["which decision an effect was made for", "update skedchange.effects set decision_id = gen_random_uuid()"],
    ["an effect, by deleting it", "delete from skedchange.effects"],
    ["the timeline of a case", "update skedchange.case_events set kind = 'other'"],
    ["the timeline of a case, by deleting it", "delete from skedchange.case_events"],
    ["which moves a case may make", "drop trigger cases_transition_is_allowed on skedchange.cases"],
    ["which moves an effect may make", "alter table skedchange.effects disable trigger effects_transition_is_allowed"],
    ["which migrations were applied", "delete from skedchange.schema_migrations"],
  ])("%s", async (_, statement) => {
    await expect(run(statement)).rejects.toMatchObject(insufficientPrivilege);
  });

  test.each(["skedchange", "gateway", "public"])("nor make tables in the schema %s", async (schema) => {
    await expect(run(`create table ${schema}.mine (id integer)`)).rejects.toMatchObject(insufficientPrivilege);
  });

  test("nor use what belongs to the owner", async () => {
    await expect(run("set role skedchange_owner")).rejects.toMatchObject(insufficientPrivilege);
    await expect(run("alter table skedchange.cases disable trigger all")).rejects.toMatchObject(insufficientPrivilege);
    await expect(run("create schema mine")).rejects.toMatchObject(insufficientPrivilege);
  });
});

describe("what has ended stays as it was, whoever asks", () => {
  function asOwner(text: string, values: readonly unknown[]) {
    return db.ownerDatabase.pool.query(text, [...values]);
  }

  test("a quarantined notification may be released, and that is the last change", async () => {
    await run("update skedchange.notifications set state = 'released' where id = $1", [ids.notification]);

    await expect(
      asOwner("update skedchange.notifications set state = 'accepted' where id = $1", [ids.notification]),
    ).rejects.toMatchObject({ code: "23514", constraint: "notifications_only_release" });
  });

  test("a decision is superseded once", async () => {
    const supersede = "update skedchange.decisions set superseded_at = $2 where id = $1";
    await run(supersede, [ids.decision, "2026-05-05"]);

    await expect(asOwner(supersede, [ids.decision, "2026-05-06"])).rejects.toMatchObject({
      code: "23514",
      message: `${ids.decision} of decisions is history and cannot be changed`,
    });
  });

  test("the results of an effect that has ended cannot be changed", async () => {
    await run("update skedchange.effects set state = 'sent' where id = $1", [ids.effect]);
    await run("update skedchange.effects set state = 'succeeded', results = '[]' where id = $1", [ids.effect]);

    await expect(
      asOwner("update skedchange.effects set results = '[1]' where id = $1", [ids.effect]),
    ).rejects.toMatchObject({ code: "23514", constraint: "effects_stay_ended" });
  });
});

describe("the database allows the moves that the code knows and no other", () => {
  test.each([
    ["cases", caseTransitions],
    ["effects", effectTransitions],
  ] as const)("of %s", async (table, transitions) => {
    const { rows } = await run("select pg_get_triggerdef(oid) as text from pg_trigger where tgname = $1", [
      `${table}_transition_is_allowed`,
    ]);

    const moves = [...rows[0].text.matchAll(/'([a-z-]+ -> [a-z-]+)'/g)].map(([, move]) => move);
    expect(moves.sort()).toEqual(
      Object.entries(transitions)
        .flatMap(([from, targets]) => targets.map((to: string) => `${from} -> ${to}`))
        .sort(),
    );
  });

  test("a case moves as it may", async () => {
    const move = (to: string) => run("update skedchange.cases set state = $2 where id = $1", [ids.case, to]);

    await expect(move("accepting")).rejects.toMatchObject({
      code: "23514",
      constraint: "cases_transition_is_allowed",
      message: `case ${ids.case} cannot go from received to accepting`,
    });
    await move("checking");
    await move("accepting");
    await move("done");
    await expect(move("checking")).rejects.toMatchObject({ constraint: "cases_transition_is_allowed" });
  });

  test("an effect moves as it may", async () => {
    const move = (to: string) => run("update skedchange.effects set state = $2 where id = $1", [ids.effect, to]);

    await expect(move("succeeded")).rejects.toMatchObject({ constraint: "effects_transition_is_allowed" });
    await move("sent");
    await move("unknown");
    await expect(move("planned")).rejects.toMatchObject({ constraint: "effects_transition_is_allowed" });
    await move("sent");
    await move("failed");
    await expect(move("sent")).rejects.toMatchObject({ constraint: "effects_stay_ended" });
  });

  test("a case starts as received and an effect as planned", async () => {
    await expect(
      run(
        `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
         select gen_random_uuid(), source, order_id, 'closed', opened_at, updated_at from skedchange.cases where id = $1`,
        [ids.case],
      ),
    ).rejects.toMatchObject({ constraint: "cases_start_as_received" });
    await expect(
      run(
        `insert into skedchange.effects (id, case_id, decision_id, source, order_id, action, gds_booking_references,
           proposal_digest, state, lease_fence, planned_at)
         select gen_random_uuid(), case_id, decision_id, source, order_id, action, gds_booking_references,
           proposal_digest, 'sent', lease_fence, planned_at from skedchange.effects where id = $1`,
        [ids.effect],
      ),
    ).rejects.toMatchObject({ constraint: "effects_start_as_planned" });
  });

  test("an order has one open case and one live effect at most", async () => {
    await expect(
      run(
        `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
         select gen_random_uuid(), source, order_id, 'received', opened_at, updated_at from skedchange.cases where id = $1`,
        [ids.case],
      ),
    ).rejects.toMatchObject({ code: "23505", constraint: "cases_one_open_per_order" });
    await expect(
      run(
        `insert into skedchange.effects (id, case_id, decision_id, source, order_id, action, gds_booking_references,
           proposal_digest, state, lease_fence, planned_at)
         select gen_random_uuid(), case_id, decision_id, source, order_id, action, gds_booking_references,
           'other', 'planned', lease_fence, planned_at from skedchange.effects where id = $1`,
        [ids.effect],
      ),
    ).rejects.toMatchObject({ code: "23505", constraint: "effects_one_live_per_order" });
  });
});
