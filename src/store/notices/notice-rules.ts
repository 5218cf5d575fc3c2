import {
  type NoticeRuleChange,
  type NoticeRuleStore,
  type NoticeRuleView,
  noticeRule,
} from "../../dashboard/notice-ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { Secret } from "../../kernel/secret.ts";
import type { Destination, NoticeRule } from "../../notices/ports.ts";
import { nameActor } from "../audit/audit-actor.ts";
import { columnsOf, datesOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";

/** Each costs a look at the waiting cases. */
const rulesMax = 100;

export function createNoticeRuleStore(database: Database, clock: Clock): NoticeRuleStore {
  const { encryption } = database;
  return {
    async listRules() {
      const { rows } = await sql<NoticeRuleView>`
        select ${viewColumns} from skedchange.notice_rules r order by r.created_at, r.id`.execute(database.connection);
      return rows.map(viewDates);
    },

    addRule: (rule, by) =>
      inTransaction(database, async (trx) => {
        await nameActor(trx, by);
        const { rows: counted } = await sql<{ count: number }>`
          select count(*) as count from skedchange.notice_rules`.execute(trx);
        if (counted[0]!.count >= rulesMax) return null;
        const id = newId(clock);
        const now = clock.now();
        const { channel, addresses, webhook, host } = await toColumns(encryption, id, rule.destination);
        await sql`
          insert into skedchange.notice_rules (id, name, queues, sources, priority_max, timing, time_zone, channel,
            addresses, webhook, webhook_encoding, key_id, webhook_host, created_at, updated_at)
          values (${id}, ${rule.name}, ${rule.queues}::text[], ${rule.sources}::text[], ${rule.priorityMax},
            ${JSON.stringify(rule.when)}::jsonb, ${rule.timeZone}, ${channel}, ${addresses}::text[],
            ${webhook?.body ?? null}, ${webhook?.bodyEncoding ?? null}, ${webhook?.keyId ?? null}, ${host},
            ${now}, ${now})`.execute(trx);
        return await readView(trx, id);
      }),

    changeRule: (id, change, by) =>
      inTransaction(database, async (trx) => {
        await nameActor(trx, by);
        const { rows } = await sql<RuleRow & { readonly pausedAt: Date | null }>`
          select ${ruleColumns}, r.paused_at as "pausedAt" from skedchange.notice_rules r where r.id = ${id}
          for update`.execute(trx);
        const row = rows[0];
        if (row === undefined) return null;
        await update(trx, row, change);
        return await readView(trx, id);
      }),

    removeRule: (id, by) =>
      inTransaction(database, async (trx) => {
        await nameActor(trx, by);
        const { rows } = await sql`
          delete from skedchange.notice_rules where id = ${id} returning id`.execute(trx);
        return rows.length > 0;
      }),
  };

  async function update(
    trx: Connection,
    row: RuleRow & { readonly pausedAt: Date | null },
    change: NoticeRuleChange,
  ): Promise<void> {
    const { paused, name = row.name, when = row.when, timeZone = row.timeZone } = change;
    const { queues = row.queues, sources = row.sources, priorityMax = row.priorityMax } = change;
    const now = clock.now();
    const pausedAt = paused === undefined ? row.pausedAt : paused ? (row.pausedAt ?? now) : null;
    // What waits is announced again by a rule that announces at another time. A digest is planned anew.
    if (JSON.stringify(when) !== JSON.stringify(row.when)) {
      await sql`delete from skedchange.notice_cases where rule_id = ${row.id}`.execute(trx);
    }
    await sql`
      update skedchange.notice_rules
      set name = ${name}, queues = ${queues}::text[], sources = ${sources}::text[], priority_max = ${priorityMax},
        timing = ${JSON.stringify(when)}::jsonb, time_zone = ${timeZone}, paused_at = ${pausedAt},
        next_digest_at = null, updated_at = ${now}
      where id = ${row.id}`.execute(trx);
    if (change.destination !== undefined) {
      const { channel, addresses, webhook, host } = await toColumns(encryption, row.id, change.destination);
      await sql`
        update skedchange.notice_rules
        set channel = ${channel}, addresses = ${addresses}::text[], webhook = ${webhook?.body ?? null},
          webhook_encoding = ${webhook?.bodyEncoding ?? null}, key_id = ${webhook?.keyId ?? null},
          webhook_host = ${host}, failing_since = null, last_error = null
        where id = ${row.id}`.execute(trx);
    }
    await sql`
      update skedchange.notices set due_at = least(due_at, ${now}), failures = 0
      where rule_id = ${row.id} and state in ('pending', 'stop-pending') and failures > 0`.execute(trx);
  }
}

// ------------------------------------------------------------------------------------------------------ reading

/** The columns of a rule `r`, with what its messages are sent to. */
export const ruleColumns = sql`
  r.id, r.name, r.queues, r.sources, r.priority_max as "priorityMax", r.timing as when, r.time_zone as "timeZone",
  r.channel, r.addresses, r.webhook, r.webhook_encoding as "webhookEncoding", r.key_id as "keyId"`;

export interface RuleRow extends Omit<NoticeRule, "destination"> {
  readonly channel: Destination["type"];
  readonly addresses: readonly string[] | null;
  readonly webhook: Buffer | null;
  readonly webhookEncoding: string | null;
  readonly keyId: string | null;
}

/** @throws `store.cannot_open` */
export async function openRule(encryption: Encryption, row: RuleRow): Promise<NoticeRule> {
  const { id, name, queues, sources, priorityMax, when, timeZone } = row;
  return {
    id,
    name,
    queues,
    sources,
    priorityMax,
    when,
    timeZone,
    destination: await openDestination(encryption, row),
  };
}

async function openDestination(encryption: Encryption, row: RuleRow): Promise<Destination> {
  const { id, channel, addresses, webhook, webhookEncoding, keyId } = row;
  if (channel === "email") return { type: channel, addresses: addresses ?? [] };
  const encrypted = { body: webhook!, bodyEncoding: webhookEncoding!, keyId };
  const url = await encryption.open(encrypted, webhookPlace(id));
  return { type: channel, webhookUrl: new Secret(url.toString("utf8")) };
}

async function toColumns(encryption: Encryption, id: string, destination: Destination) {
  const { type: channel } = destination;
  if (destination.type === "email") return { channel, addresses: destination.addresses, webhook: null, host: null };
  const url = destination.webhookUrl.reveal();
  const webhook = await encryption.encrypt(Buffer.from(url, "utf8"), webhookPlace(id));
  return { channel, addresses: null, webhook, host: new URL(url).host };
}

function webhookPlace(id: string) {
  return { column: "skedchange.notice_rules.webhook", row: id.toLowerCase() } as const;
}

const viewColumns = columnsOf(noticeRule, "r", {
  when: sql`r.timing`,
  to: sql`coalesce(r.addresses, array[r.webhook_host])`,
  paused: sql`r.paused_at is not null`,
  failing: sql`case when r.failing_since is not null then r.last_error || jsonb_build_object('since', r.failing_since) end`,
});

const viewDates = datesOf(noticeRule);

async function readView(trx: Connection, id: string): Promise<NoticeRuleView | null> {
  const { rows } = await sql<NoticeRuleView>`
    select ${viewColumns} from skedchange.notice_rules r where r.id = ${id}`.execute(trx);
  return rows[0] === undefined ? null : viewDates(rows[0]);
}
