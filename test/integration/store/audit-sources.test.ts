import { createHash, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { createAutomation } from "../../../src/store/cases/automation.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { takeIn } from "../../harness/notifications.ts";
import { type AuditedDatabase, createAuditedDatabase } from "./audited-database.ts";

let db: AuditedDatabase;

beforeEach(async () => {
  db = await createAuditedDatabase();
});
afterEach(() => db.drop());

const everything = {};

/** What was audited, oldest first. */
async function audited(filter = everything) {
  const { items } = await createAuditReading(db.database).listEntries(filter, { before: null, limit: 100 });
  return items.map(({ kind, actor, orderId, refs }) => ({ kind, actor, orderId, refs })).toReversed();
}

function run(text: string, values: readonly unknown[] = []) {
  return db.database.pool.query(text, [...values]);
}

test("who may sign in: added, changed, given tokens, and by whom; never a name or a password", async () => {
  const people = createPeopleStore(db.database);
  const at = systemClock.now();
  const id = randomUUID();
  const tokenId = randomUUID();
  await people.createUser(
    {
      id,
      username: "mlopez",
      displayName: "MARKER",
      role: "agent",
      sources: null,
      password: { hash: "scrypt$MARKER", proof: null },
      passwordChangeNeeded: true,
      isDemo: false,
      at,
    },
    10,
    { actor: "person:admin" },
  );
  await people.changeUser(id, { role: "supervisor" }, at, { actor: "person:admin" });
  await people.changeUser(id, { displayName: "MARKER two" }, at, { actor: "person:admin" });
  await people.changeUser(id, { password: { hash: "scrypt$MARKER2", proof: null, changeNeeded: true } }, at);
  const expiresAt = new Date(at.getTime() + 1_000_000);
  await people.createToken({
    id: tokenId,
    tokenDigest: createHash("sha256").update("t").digest(),
    userId: id,
    name: "MARKER",
    role: "viewer",
    readOnly: true,
    at,
    expiresAt,
    tokensMax: 5,
  });
  await people.revokeToken(tokenId, null, at, { actor: "person:admin" });
  await people.revokeToken(tokenId, null, at, { actor: "person:admin" });

  const entries = await audited();
  expect(entries.map(({ kind, actor, refs }) => [kind, actor, refs["changed"] ?? null])).toEqual([
    ["user.added", "person:admin", null],
    ["user.changed", "person:admin", "role"],
    ["user.changed", "system", "password_hash"],
    ["api-token.added", "person:mlopez", null],
    ["api-token.revoked", "person:admin", "revoked_at"],
  ]);
  expect(entries[0]!.refs).toEqual({ id, username: "mlopez", role: "agent" });
  expect(JSON.stringify(entries)).not.toContain("MARKER");
});

test("which policy decides: versions kept, and each change of which one is active", async () => {
  const policies = createPolicyStore(db.database, systemClock);
  const version = "a".repeat(64);
  await policies.saveVersion({ version, name: "MARKER", text: "MARKER", createdBy: "person:mlopez", note: "MARKER" });
  await run(
    `insert into skedchange.policy_terms (id, source, role, version, began_at, began_by, note)
     values ($1, 'default', 'active', $2, now(), 'person:mlopez', 'MARKER')`,
    [randomUUID(), version],
  );
  await run("update skedchange.policy_terms set ended_at = now(), ended_by = 'file'");

  const entries = await audited();
  expect(entries.map(({ kind, actor }) => [kind, actor])).toEqual([
    ["policy.added", "person:mlopez"],
    ["policy-term.began", "person:mlopez"],
    ["policy-term.ended", "file"],
  ]);
  expect(entries[1]!.refs).toMatchObject({ role: "active", version });
  expect(JSON.stringify(entries)).not.toContain("MARKER");
});

test("who stopped automatic effects, of which source, and who resumed them", async () => {
  const automation = createAutomation(db.database, systemClock, { sources: ["default"] });
  const { id } = await automation.stop({ actor: "person:mlopez", source: null, note: "MARKER" });
  await automation.resume({ actor: "person:rui", source: null });
  await automation.stop({ actor: "person:mlopez", source: "default", note: "MARKER" });

  const entries = await audited();
  expect(entries.map(({ kind, actor, refs }) => [kind, actor, refs])).toEqual([
    ["automation.stopped", "person:mlopez", { id, cause: "person" }],
    ["automation.resumed", "person:rui", { id, cause: "person", changed: "" }],
    ["automation.stopped", "person:mlopez", { id: expect.any(String), source: "default", cause: "person" }],
  ]);
  expect(JSON.stringify(entries)).not.toContain("MARKER");
});

test("what was quarantined and released, also in a monthly partition; what was accepted is in its case's timeline", async () => {
  await run("select skedchange.ensure_notification_partitions('2026-05-01', 1)");
  const quarantined = randomUUID();
  const insert = `insert into skedchange.notifications
      (id, source, received_at, digest, body, body_encoding, body_bytes, state, problem)
    values ($1, 'default', '2026-05-04', sha256($2), 'MARKER', 'none', 6, $3, $4)`;
  await run(insert, [quarantined, Buffer.from("1"), "quarantined", '{"message": "MARKER"}']);
  await run(insert, [randomUUID(), Buffer.from("2"), "accepted", null]);
  await run("update skedchange.notifications set state = 'released' where id = $1", [quarantined]);

  const entries = await audited();
  expect(entries).toEqual([
    { kind: "notification.quarantined", actor: "system", orderId: null, refs: { id: quarantined } },
    { kind: "notification.released", actor: "system", orderId: null, refs: { id: quarantined, changed: "" } },
  ]);
});

test("who has released what was quarantined", async () => {
  const id = randomUUID();
  const body = Buffer.from("MARKER");
  await run(
    `insert into skedchange.notification_digests (source, digest, notification_id, received_at, receipts, last_receipt_at)
     values ('default', sha256($2), $1, date_trunc('milliseconds', now()), 1, now())`,
    [id, body],
  );
  await run(
    `insert into skedchange.notifications (id, source, received_at, digest, body, body_encoding, body_bytes, state, problem)
     select $1, 'default', received_at, digest, $2, 'none', 6, 'quarantined', '{}'
     from skedchange.notification_digests where notification_id = $1`,
    [id, body],
  );
  const orders = [{ orderId: "RELEASED", gdsBookingReferences: [] }];
  await createQuarantine(db.database, { clock: systemClock }).release({
    notificationId: id,
    orders,
    by: { actor: "person:a" },
  });

  const released = (await audited()).filter(({ kind }) => kind === "notification.released");
  expect(released.map(({ actor, refs }) => [actor, refs["id"]])).toEqual([["person:a", id]]);
});

test("what people do around a case: travellers, second persons, tasks, many cases at once", async () => {
  const contact = randomUUID();
  const approval = randomUUID();
  const task = randomUUID();
  const bulk = randomUUID();
  await run(
    `insert into skedchange.traveller_contacts
       (id, case_id, source, order_id, kind, channel, answer, happened_at, recorded_at, recorded_by, note)
     values ($1, $2, 'default', $3, 'answered', 'phone', 'accepts', now(), now(), 'person:a', 'MARKER')`,
    [contact, db.caseId, db.orderId],
  );
  await run(
    `insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at, note)
     values ($1, $2, 'cancel', 'd', 'person:a', now(), 'MARKER')`,
    [approval, db.caseId],
  );
  await run("update skedchange.approvals set state = 'given', answered_by = 'person:b', answered_at = now()");
  await run(
    `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
     values ($1, $2, 'default', $3, 'check-ticket', '[{"text": "MARKER"}]', now())`,
    [task, db.caseId, db.orderId],
  );
  await run("update skedchange.tasks set closed_at = now(), closed_by = 'person:b', note = 'MARKER'");
  await run(
    `insert into skedchange.bulk_actions (id, command, asked_by, asked_at)
     values ($1, '{"note": "MARKER"}', 'person:a', now())`,
    [bulk],
  );
  await run("update skedchange.bulk_actions set state = 'finished', finished_at = now()");

  const entries = await audited();
  expect(entries.map(({ kind, actor, orderId }) => [kind, actor, orderId])).toEqual([
    ["traveller-contact.recorded", "person:a", db.orderId],
    ["approval.asked", "person:a", db.orderId],
    ["approval.answered", "person:b", db.orderId],
    ["task.opened", "system", db.orderId],
    ["task.closed", "person:b", db.orderId],
    ["bulk-action.asked", "person:a", null],
    ["bulk-action.ended", "system", null],
  ]);
  expect(JSON.stringify(entries)).not.toContain("MARKER");
});

test("nothing of what is received gets into the audit: no name, no body, no reason why it could not be used", async () => {
  const common = { source: "default", receivedAt: systemClock.now(), copies: 1, contentType: "application/json" };
  const incoming = (text: string) => ({
    id: randomUUID(),
    body: Buffer.from(text),
    digest: digestOfBytes(Buffer.from(text)),
  });
  const problem = { code: "ocn.invalid", path: "/MARKER", message: "MARKER is not allowed" };
  const orders = [{ orderId: db.orderId, gdsBookingReferences: ["QX7R2M"] }];
  await takeIn(db.database, [
    { ...common, ...incoming('{"PassengerName":"MARKER one"}'), problem: null, orders },
    { ...common, ...incoming('{"PassengerName":"MARKER two"}'), problem, orders: [] },
  ]);

  expect((await audited()).map(({ kind }) => kind).toSorted()).toEqual([
    "notification.quarantined",
    "notification.received",
  ]);
  const { rows } = await run("select string_agg(e::text, '') as everything from skedchange.audit_entries e");
  expect(rows[0].everything).not.toContain("MARKER");
});

test("which systems are sent events: added, pointed elsewhere, given other credentials; not each try", async () => {
  const id = randomUUID();
  await run(
    `insert into skedchange.event_recipients (id, name, url, auth_type, credential, credential_encoding, signing_secrets,
       signing_secrets_encoding, signing_secret_count, state_changed_at, created_at, updated_at)
     values ($1, 'MARKER', 'https://MARKER', 'none', 'x', 'none', 'x', 'none', 1, now(), now(), now())`,
    [id],
  );
  await run("update skedchange.event_recipients set url = 'https://MARKER2', credential = 'y'");
  await run("update skedchange.event_recipients set failed_in_row = 3, updated_at = now()");

  const entries = await audited();
  expect(entries.map(({ kind, refs }) => [kind, refs])).toEqual([
    ["event-recipient.added", { id, state: "active" }],
    ["event-recipient.changed", { id, state: "active", changed: "credential,url" }],
  ]);
});

test("a lock-out is audited, and not whom it hit", async () => {
  await run("insert into skedchange.sign_in_failures values (sha256('MARKER'), 5, now(), '2027-01-01')");
  await run("update skedchange.sign_in_failures set failures = 6, locked_until = '2027-01-02'");
  await run("update skedchange.sign_in_failures set locked_until = null");

  expect(await audited()).toEqual([
    {
      kind: "sign-in.locked",
      actor: "system",
      orderId: null,
      refs: { locked_until: expect.stringMatching(/^2027-01-01/) },
    },
    {
      kind: "sign-in.locked",
      actor: "system",
      orderId: null,
      refs: { locked_until: expect.stringMatching(/^2027-01-02/), changed: "locked_until" },
    },
  ]);
});

test("the list finds by case, order, kind, actor and time, and goes on page by page", async () => {
  for (let n = 0; n < 5; n += 1) await db.addEvent(n === 3 ? "case.closed" : "case.noted");
  const audit = createAuditReading(db.database);
  const first = await audit.listEntries(everything, { before: null, limit: 3 });
  const second = await audit.listEntries(everything, { before: first.next, limit: 3 });

  expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([
    [5, 4, 3],
    [2, 1],
  ]);
  expect(second.next).toBeNull();
  const kindsOf = async (filter: object) => (await audited({ ...everything, ...filter })).map(({ kind }) => kind);
  expect(await kindsOf({ kind: "case.closed" })).toEqual(["case.closed"]);
  expect(await kindsOf({ caseId: db.caseId, orderId: db.orderId, actor: "person:mlopez" })).toHaveLength(5);
  expect(await kindsOf({ orderId: "other" })).toEqual([]);
  expect(await kindsOf({ actor: "worker" })).toEqual([]);
  expect(await kindsOf({ since: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await kindsOf({ until: new Date(Date.now() - 60_000) })).toEqual([]);
});
