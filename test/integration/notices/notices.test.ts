import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { messageOf } from "../../../src/kernel/app-error.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createNoticeChannels } from "../../../src/notices/channels.ts";
import { createSmtp } from "../../../src/notices/smtp.ts";
import { createAutomation } from "../../../src/store/cases/automation.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createNoticeOutbox } from "../../../src/store/notices/notice-outbox.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { startMailServer } from "../../harness/mail-server.ts";
import { respondWith } from "../sender/scripted-receiver.ts";
import { aRule, type NoticeBench, openNoticeBench } from "./notice-bench.ts";

const actor = { actor: "person:admin" };
let bench: NoticeBench;

beforeAll(async () => {
  bench = await openNoticeBench();
});
afterEach(async () => {
  for (const { id } of await bench.rules.listRules()) await bench.rules.removeRule(id, actor);
  await run(sql`update skedchange.cases set state = 'closed', closed_at = now() where state = 'awaiting-agent'`);
  (bench.mail.mails as unknown[]).length = 0;
  (bench.webhook.posts as unknown[]).length = 0;
  bench.mail.onMail = () => {};
  bench.mail.refused.clear();
  bench.webhook.script = respondWith(200);
});
afterAll(() => bench.close());

const run = (statement: ReturnType<typeof sql>) => statement.execute(bench.db.ownerDatabase.connection);
const waiting = (overrides: Parameters<typeof insertCase>[1] = {}) =>
  insertCase(bench.db.ownerDatabase, {
    state: "awaiting-agent",
    reviewQueue: "agent",
    headline: "LH1167 departs 31 min later",
    ...overrides,
  });
const subjects = () => bench.mail.mails.map(({ raw }) => header(raw, "Subject"));
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "m").exec(raw)?.[1]?.replaceAll(/\r\n\s+/g, " ");
const move = (id: string, state: string) => run(sql`update skedchange.cases set state = ${state} where id = ${id}`);
const inHours = (hours: number) => new Date(bench.now().getTime() + hours * 3_600_000);
const postedTo = (path: string) => ({
  type: "slack" as const,
  webhookUrl: new Secret(new URL(path, bench.webhook.url).href),
});

describe("at once", () => {
  test("a burst of 100 cases is one message, with the most urgent first", async () => {
    await bench.rules.addRule(aRule(), actor);
    for (let each = 0; each < 99; each += 1) await waiting();
    await waiting({ orderId: "URGENT", priority: 0, dueBy: inHours(1) });

    await bench.announce();
    await bench.announce();

    expect(subjects()).toEqual(["100 cases need action, first due 14:00"]);
    const [mail] = bench.mail.mails;
    expect(mail!.to).toEqual(["desk@agency.example"]);
    expect(mail!.raw.indexOf("URGENT: LH1167")).toBeGreaterThan(0);
    expect(mail!.raw.indexOf("URGENT: LH1167")).toBeLessThan(
      mail!.raw.indexOf("departs 31 min later", mail!.raw.indexOf("URGENT") + 60),
    );
    expect(mail!.raw).toContain("and 80 more");
    expect(header(mail!.raw, "Auto-Submitted")).toBe("auto-generated");
  });

  test("the overdue ones among more cases than are listed are all counted, and the first deadline ahead is named", async () => {
    await bench.rules.addRule(aRule(), actor);
    for (let each = 0; each < 23; each += 1) await waiting({ dueBy: inHours(-1) });
    await waiting({ dueBy: inHours(3) });
    await waiting({ dueBy: inHours(2) });
    const first = new Date(inHours(2)).toISOString().slice(11, 16);

    await bench.announce();

    expect(subjects()).toEqual([`25 cases need action, 23 overdue, first due ${first}`]);
  });

  test("cases that wait later are a message of their own, not before a minute has passed", async () => {
    await bench.rules.addRule(aRule(), actor);
    await waiting();
    await bench.announce();
    await waiting({ orderId: "SECOND" });
    await bench.sender.run();
    bench.wait(20);
    await bench.sender.run();
    expect(subjects()).toHaveLength(1);
    bench.wait(41);
    await bench.sender.run();
    expect(subjects().at(-1)).toBe("1 case needs action, SECOND");
  });

  test("a case whose traveller somebody must ask is announced, one whose traveller was asked is not", async () => {
    await bench.rules.addRule(aRule({ queues: ["agent"] }), actor);
    const id = await waiting({ state: "ask-traveller", orderId: "ASK" });
    await waiting({ state: "awaiting-traveller", orderId: "ASKED" });
    await bench.announce();
    await bench.announce();

    expect(subjects()).toEqual(["1 case needs action, ASK"]);
    await move(id, "checking");
    await move(id, "closed");
  });

  test("a rule announces only its queues, sources and priorities", async () => {
    await bench.rules.addRule(aRule({ queues: ["legal"], sources: ["berlin"], priorityMax: 2 }), actor);
    await waiting({ reviewQueue: "legal", source: "berlin", priority: 3 });
    await waiting({ reviewQueue: "legal", source: "vienna", priority: 1 });
    await waiting({ reviewQueue: "agent", source: "berlin", priority: 1 });
    await waiting({ reviewQueue: "legal", source: "berlin", priority: 2, orderId: "MATCH" });
    await bench.announce();
    expect(subjects()).toEqual(["1 case needs action, MATCH"]);
  });

  test("a case that is only re-read is not announced again, one that waits again after an answer is", async () => {
    await bench.rules.addRule(aRule(), actor);
    const id = await waiting();
    await bench.announce();
    await move(id, "checking");
    await bench.announce();
    await move(id, "awaiting-agent");
    await bench.announce();
    expect(subjects()).toHaveLength(1);

    await move(id, "snoozed");
    await bench.announce();
    await move(id, "awaiting-agent");
    await bench.announce();
    expect(subjects()).toHaveLength(2);
  });

  test("a case that was decided before its message was due is not announced", async () => {
    await bench.rules.addRule(aRule(), actor);
    const id = await waiting();
    await bench.sender.run();
    await move(id, "closed");
    bench.wait(61);
    await bench.sender.run();
    expect(subjects()).toEqual([]);
  });

  test("a paused rule announces nothing, and what waits then once it is resumed", async () => {
    const rule = await bench.rules.addRule(aRule(), actor);
    await bench.rules.changeRule(rule!.id, { paused: true }, actor);
    await waiting();
    await bench.announce();
    expect(subjects()).toEqual([]);
    await bench.rules.changeRule(rule!.id, { paused: false }, actor);
    await bench.announce();
    expect(subjects()).toHaveLength(1);
  });
});

describe("a stop of automation", () => {
  const automation = () =>
    createAutomation(bench.db.ownerDatabase, { now: bench.now }, { sources: ["default", "other"] });
  const stop = (source: string | null) => automation().stop({ actor: "person:ana", source, note: "Old statuses." });
  const resume = (source: string | null) => automation().resume({ actor: "person:ana", source });
  afterEach(async () => {
    for (const source of [null, "default", "other"]) await resume(source);
  });

  test("is announced once by each notice at once that is about its source, with why and how it ends", async () => {
    await bench.rules.addRule(aRule(), actor);
    await bench.rules.addRule(aRule({ name: "Of another source", sources: ["other"] }), actor);
    await bench.rules.addRule(
      aRule({ name: "Digest", when: { type: "digest", times: ["08:00"], weekdays: [1] } }),
      actor,
    );
    await stop("default");

    await bench.announce();
    await bench.announce();

    expect(subjects()).toEqual(["Automation of source default is stopped: agents decide each case"]);
    expect(bench.mail.mails[0]!.raw).toContain("Old statuses.");
    expect(bench.mail.mails[0]!.raw).toMatch(/stopped by ana, 13:\d\d/);
    expect(bench.mail.mails[0]!.raw).toContain("https://desk.agency.example/policies");
  });

  test("is announced once, also when it outlives what is kept of messages", async () => {
    await bench.rules.addRule(aRule(), actor);
    await stop("default");
    await bench.announce();
    const outbox = createNoticeOutbox(bench.db.database, { now: bench.now });

    await outbox.deleteFinished(new Date(bench.now().getTime() + 1), 100);
    await bench.announce();

    expect(subjects()).toHaveLength(1);
  });

  test("of all sources is announced by every notice at once", async () => {
    await bench.rules.addRule(aRule({ sources: ["other"] }), actor);
    await stop(null);

    await bench.announce();

    expect(subjects()).toEqual(["Automation is stopped: agents decide each case"]);
  });

  test("is a message of its own, beside the cases that wait", async () => {
    await bench.rules.addRule(aRule(), actor);
    await stop("default");
    await waiting();

    await bench.announce();

    expect(subjects()).toHaveLength(2);
  });

  test("that ended before its message was sent is not announced", async () => {
    await bench.rules.addRule(aRule(), actor);
    bench.mail.onMail = () => {
      throw new Error("not now");
    };
    await stop("default");
    await bench.announce();
    await resume("default");
    bench.mail.onMail = () => {};
    bench.wait(3_600);
    const before = bench.mail.mails.length;

    await bench.announce();

    expect(bench.mail.mails.length).toBe(before);
  });
});

describe("when a message does not arrive", () => {
  test("it is tried again, the rule shows why, and what waits meanwhile joins it", async () => {
    await bench.rules.addRule(aRule(), actor);
    await waiting();
    bench.mail.onMail = () => {
      throw new Error("mailbox is full");
    };
    await bench.announce();
    const [failing] = await bench.rules.listRules();
    expect(failing!.failing).toEqual({
      code: "notices.mail_failed",
      message: expect.stringContaining("mailbox is full"),
      since: bench.now(),
    });
    expect((await createNoticeOutbox(bench.db.database, { now: bench.now }).countFailing()).get("email")).toBe(1);

    bench.mail.onMail = () => {};
    await waiting();
    await bench.announce();
    expect(subjects()).toEqual(["2 cases need action"]);
    expect((await bench.rules.listRules())[0]!.failing).toBeNull();
  });

  test("an attempt whose outcome was lost is repeated with the same Message-ID", async () => {
    await bench.rules.addRule(aRule(), actor);
    await waiting();
    await bench.announce();
    await run(sql`update skedchange.notices set state = 'pending' where state = 'sent'`);
    await bench.sender.run();
    const ids = bench.mail.mails.map(({ raw }) => header(raw, "Message-ID"));
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}\.0@agency\.example>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test("an address that is refused does not keep others from the message", async () => {
    bench.mail.refused.add("gone@agency.example");
    const addresses = ["desk@agency.example", "gone@agency.example"];
    await bench.rules.addRule(aRule({ destination: { type: "email", addresses } }), actor);
    await waiting();
    await bench.announce();
    await bench.announce();
    expect(bench.mail.mails.map(({ to }) => to)).toEqual([["desk@agency.example"]]);
    expect((await bench.rules.listRules())[0]!.failing).toMatchObject({
      code: "notices.address_refused",
      message: expect.stringContaining("gone@agency.example"),
    });
  });

  test("a webhook that refuses is asked again when it says, and its URL stands nowhere in the error", async () => {
    bench.webhook.script = (response) => {
      response.writeHead(429, { "retry-after": "120" });
      response.end("rate_limited");
    };
    await bench.rules.addRule(aRule({ destination: postedTo("/services/T0/B0/very-secret") }), actor);
    await waiting();
    await bench.announce();
    const [rule] = await bench.rules.listRules();
    expect(rule!.failing!.message).toBe("Slack responded with 429: rate_limited.");
    expect(JSON.stringify(rule)).not.toContain("very-secret");
    bench.webhook.script = respondWith(200);
    bench.wait(100);
    await bench.sender.run();
    expect(bench.webhook.posts).toHaveLength(1);
    bench.wait(21);
    await bench.sender.run();
    expect(bench.webhook.posts).toHaveLength(2);
  });
});

describe("mail servers", () => {
  const mailOf = { subject: "s", text: "t", html: "<p>h</p>", to: ["desk@agency.example"], key: "k" };
  const from = "notices@agency.example";

  test("mail is encrypted, and nothing is sent to a server that offers no encryption unless it is allowed", async () => {
    await bench.rules.addRule(aRule(), actor);
    await waiting();
    await bench.announce();
    expect(bench.mail.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);

    const plain = await startMailServer({ offersTls: false });
    try {
      const url = new Secret(plain.url);
      const strict = createSmtp({ url, from, allowPlaintext: false });
      await expect(strict(mailOf)).rejects.toMatchObject({
        code: "notices.mail_failed",
        message: expect.stringContaining("SMTP_ALLOW_PLAINTEXT=1"),
      });
      expect(plain.mails).toEqual([]);
      await createSmtp({ url, from, allowPlaintext: true })(mailOf);
      expect(plain.mails).toHaveLength(1);
    } finally {
      await plain.close();
    }
  });

  test("wrong credentials are said to be wrong, without the password", async () => {
    const url = new Secret(bench.mail.url.replace("p%40ss", "wrong-password"));
    const send = createSmtp({ url, from, allowPlaintext: false, authorities: bench.mail.authority });
    const error = await send(mailOf).catch(messageOf);
    expect(error).toMatch(/^The mail server refused the credentials of SMTP_URL/);
    expect(error).not.toContain("wrong-password");
  });

  test("without a mail server the notice says which settings are missing", async () => {
    const channels = createNoticeChannels({ sendMail: null, post: async () => ({}) as never });
    const text = { subject: "s", reason: "r", cases: [], more: null, queueUrl: null };
    const sent = channels.send({ type: "email", addresses: ["a@b.example"] }, text, "k");
    await expect(sent).rejects.toMatchObject({ code: "notices.mail_not_configured" });
  });
});

describe("chats", () => {
  test("Slack gets blocks and Teams gets an Adaptive Card, with a link to the case", async () => {
    const teams = { type: "teams" as const, webhookUrl: new Secret(new URL("/workflows/2", bench.webhook.url).href) };
    await bench.rules.addRule(aRule({ destination: postedTo("/services/1") }), actor);
    await bench.rules.addRule(aRule({ destination: teams }), actor);
    const id = await waiting({ orderId: "ORD1" });
    await bench.announce();
    const bodies = new Map(bench.webhook.posts.map(({ path, body }) => [path, JSON.parse(body.toString("utf8"))]));
    expect(bodies.get("/services/1").text).toBe("1 case needs action, ORD1");
    expect(bodies.get("/services/1").blocks[1].text.text).toContain(`<https://desk.agency.example/cases/${id}|ORD1`);
    const card = bodies.get("/workflows/2").attachments[0];
    expect(card.contentType).toBe("application/vnd.microsoft.card.adaptive");
    expect(card.content.body[1].selectAction.url).toBe(`https://desk.agency.example/cases/${id}`);
  });

  test("a test is sent at once and says what is wrong", async () => {
    const rule = await bench.rules.addRule(aRule({ destination: postedTo("/services/3") }), actor);
    expect(await bench.sender.sendTest(rule!.id)).toEqual({ problem: null });
    expect(JSON.parse(bench.webhook.posts[0]!.body.toString("utf8")).text).toBe("Test of a notice: it arrived");
    bench.webhook.script = respondWith(404);
    expect(await bench.sender.sendTest(rule!.id)).toMatchObject({ problem: { code: "notices.webhook_failed" } });
    const metadata = { type: "teams" as const, webhookUrl: new Secret("http://169.254.169.254/latest") };
    const inside = await bench.rules.addRule(aRule({ destination: metadata }), actor);
    expect(await bench.sender.sendTest(inside!.id)).toMatchObject({ problem: { code: "sender.address_forbidden" } });
  });
});

describe("before a deadline", () => {
  const when = { type: "before-deadline", minutes: 60 } as const;

  test("a case is announced once for each of its deadlines", async () => {
    await bench.rules.addRule(aRule({ when }), actor);
    const id = await waiting({ orderId: "LATE", dueBy: inHours(2) });
    await bench.announce();
    expect(subjects()).toEqual([]);
    bench.wait(3_600);
    await bench.announce();
    await bench.announce();
    expect(subjects()).toEqual([expect.stringMatching(/^1 case still needs action, due \d\d:\d\d, LATE$/)]);

    await run(sql`update skedchange.cases set due_by = ${inHours(0.5)} where id = ${id}`);
    await bench.announce();
    expect(subjects()).toHaveLength(2);
  });

  test("a case that left and came back with the same deadline is not announced again", async () => {
    await bench.rules.addRule(aRule({ when }), actor);
    const id = await waiting({ dueBy: inHours(0.5) });
    await bench.announce();
    await move(id, "snoozed");
    await bench.announce();
    await move(id, "awaiting-agent");
    await bench.announce();
    expect(subjects()).toHaveLength(1);
  });
});

describe("digests", () => {
  test("a digest lists all that waits at its time, and none is sent when nothing waits", async () => {
    const local = bench.now().toISOString().slice(11, 16);
    const weekdays = [1, 2, 3, 4, 5, 6, 7];
    await bench.rules.addRule(aRule({ when: { type: "digest", times: [local], weekdays }, timeZone: "UTC" }), actor);
    await bench.sender.run();
    await waiting();
    await waiting();
    bench.wait(23 * 3_600);
    await bench.sender.run();
    expect(subjects()).toEqual([]);
    bench.wait(3_600);
    await bench.sender.run();
    await bench.sender.run();
    expect(subjects()).toEqual(["2 cases need action"]);

    await run(sql`update skedchange.cases set state = 'closed' where state = 'awaiting-agent'`);
    bench.wait(24 * 3_600);
    await bench.sender.run();
    expect(subjects()).toHaveLength(1);
  });
});

describe("storage", () => {
  test("a webhook's URL is encrypted, and encrypted anew with a new key", async () => {
    const added = await bench.rules.addRule(aRule({ destination: postedTo("/services/secret") }), actor);
    const keys = readEncryptionKeys(createEncryptionKey(new Date()));
    if (!keys.ok) throw new Error(keys.problem);
    const encryption = createEncryption(keys.keys);
    const results = await reencrypt({ connection: bench.db.ownerDatabase.connection, encryption }, () => {});
    expect(results).toContainEqual({ column: "skedchange.notice_rules.webhook", done: 1, unreadableIds: [] });

    const withKeys = createNoticeOutbox({ ...bench.db.database, encryption }, { now: bench.now });
    const rule = await withKeys.readRule(added!.id);
    expect(rule!.destination).toMatchObject({ type: "slack" });
    // A process without the key reports it, and goes on with other rules.
    await bench.rules.addRule(aRule(), actor);
    await waiting();
    await bench.announce();
    expect(subjects()).toHaveLength(1);
    const shown = (await bench.rules.listRules()).find(({ id }) => id === added!.id);
    expect(shown!.failing).toMatchObject({ code: "store.cannot_open" });
  });

  test("every change of a rule is audited with who made it", async () => {
    const rule = await bench.rules.addRule(aRule(), actor);
    await bench.rules.changeRule(rule!.id, { name: "Night desk" }, actor);
    await bench.rules.removeRule(rule!.id, actor);
    const { rows } = await sql<{ kind: string; actor: string }>`
      select kind, actor from skedchange.audit_entries where refs ->> 'id' = ${rule!.id} order by id`.execute(
      bench.db.ownerDatabase.connection,
    );
    expect(rows).toEqual([
      { kind: "notice-rule.added", ...actor },
      { kind: "notice-rule.changed", ...actor },
      { kind: "notice-rule.removed", ...actor },
    ]);
  });
});
