import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { EventKind } from "../../sender/events/ports.ts";
import {
  type AnyDeliveryFilter,
  type AnyRecipientChange,
  type AttemptView,
  anyDelivery,
  anyRecipient,
  attempt,
  type DeliveryBodies,
  type DeliveryFilter,
  type DeliveryKind,
  type DeliveryOverview,
  type DeliveryView,
  type Lane,
  type MissedNotifications,
  type NotificationKind,
  type Page,
  type Reason,
  type RecipientStore,
  type RecipientView,
  type ResendOutcome,
} from "../../sender/ports.ts";
import { nameActor } from "../audit/audit-actor.ts";
import { columnsOf, datesOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedRow, Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { readAttemptFigures } from "./attempt-figures.ts";
import { addDelivery, fits, lockForAdding, lockForChange, notifyDue } from "./deliveries.ts";
import { readTraffic } from "./delivery-overview.ts";
import { type DeliveryTables, eventTables, notificationTables } from "./delivery-tables.ts";
import {
  encryptClientCertificate,
  encryptCredential,
  encryptSigningSecrets,
  recipientEncryption,
} from "./recipient-credential.ts";
import { toUnreadable } from "./recipient-target.ts";

export interface RecipientStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
}

export function createRecipientStore(
  options: RecipientStoreOptions,
): RecipientStore & MissedNotifications & DeliveryOverview & DeliveryBodies {
  const { clock, database } = options;
  const { connection, encryption } = database;
  const tables = notificationTables;
  return {
    ...createStore<NotificationKind>(options, tables),

    sendMissed: (recipientId, since) =>
      inTransaction(database, (trx) => sendMissed(trx, tables, clock, recipientId, since)),

    async readMissed() {
      const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
        select count(*) as count, min(b.created_at) as "oldestAt" from ${tables.bodies} b
        where ${wentToNobody(tables)}`.execute(connection);
      return rows[0]!;
    },

    async readDeliveryBody(deliveryId) {
      const { rows } = await sql<BodyRow>`
        select b.id, b.body, b.body_encoding as "bodyEncoding", b.key_id as "keyId"
        from ${tables.deliveries} d join ${tables.bodies} b on b.id = d.${tables.bodyId}
        where d.id = ${deliveryId}`.execute(connection);
      const row = rows[0];
      if (row === undefined) return null;
      try {
        return { kind: "readable", body: await encryption.open(row, { column: tables.bodyColumn, row: row.id }) };
      } catch (error) {
        return toUnreadable("sender.body_unreadable", error);
      }
    },

    readTraffic: (since) => readTraffic(connection, tables, { since, now: clock.now() }),
    readAttemptFigures: (since) => readAttemptFigures(connection, tables, { since, now: clock.now() }),
  };
}

interface BodyRow extends EncryptedRow {
  readonly id: string;
}

export function createEventRecipientStore(options: RecipientStoreOptions): RecipientStore<EventKind> {
  return createStore<EventKind>(options, eventTables);
}

/** Locks in the order recipient, lane, delivery. */
function createStore<T extends DeliveryKind>(
  options: RecipientStoreOptions,
  tables: DeliveryTables,
): RecipientStore<T> {
  const { clock } = options;
  const { database } = options;
  const { connection, encryption } = database;

  return {
    createRecipient: (recipient, by) =>
      inTransaction(database, async (trx) => {
        if (by != null) await nameActor(trx, by);
        const id = newId(clock);
        const now = clock.now();
        const own = recipientEncryption(encryption, tables.recipientTable, id);
        const encrypted = await encryptCredential(own, recipient.authorization);
        const signing = await encryptSigningSecrets(own, recipient.signingSecrets);
        const certificate = await encryptClientCertificate(own, recipient.clientCertificate);
        const columns = sql.join(Object.values(tables.input));
        const input = sql.join(
          Object.keys(tables.input).map((member) => sql`${Reflect.get(recipient, member)}::text[]`),
        );
        await sql`
          insert into ${tables.recipients}
            (${columns}, id, name, url, auth_type, credential, credential_encoding, key_id, ordering, acknowledgement,
            deadline_ms, lanes_max, signing_secrets, signing_secrets_encoding, signing_secrets_key_id,
            signing_secret_count, client_certificate, client_certificate_encoding, client_certificate_key_id,
            client_certificate_expires_at, rate_per_second, agency_id, state_changed_at, created_at, updated_at)
          values (${input}, ${id}, ${recipient.name}, ${recipient.url}, ${recipient.authorization.type},
            ${encrypted.body}, ${encrypted.bodyEncoding}, ${encrypted.keyId}, ${recipient.ordering}, ${recipient.acknowledgement}, ${recipient.deadlineMs}, ${recipient.lanesMax},
            ${signing?.body ?? null}, ${signing?.bodyEncoding ?? null}, ${signing?.keyId ?? null},
            ${recipient.signingSecrets.length}, ${certificate?.body ?? null}, ${certificate?.bodyEncoding ?? null},
            ${certificate?.keyId ?? null}, ${recipient.clientCertificate?.expiresAt ?? null},
            ${recipient.ratePerSecond}, ${recipient.agencyId}, ${now}, ${now}, ${now})`.execute(trx);
        return (await readRecipient<T>(trx, tables, id))!;
      }),

    async listRecipients({ limit, cursor, agencyId = null }) {
      const { rows } = await sql<RecipientView<T>>`
        ${selectRecipients(tables)} where r.state <> 'removed' and (${cursor}::uuid is null or r.id < ${cursor}::uuid)
          and (${agencyId}::text is null or r.agency_id = ${agencyId}::text)
        order by r.id desc limit ${limit + 1}`.execute(connection);
      return toPage(rows.map(recipientDates), limit);
    },

    readRecipient: (recipientId) => readRecipient<T>(connection, tables, recipientId),

    changeRecipient: (recipientId, change, by) =>
      inTransaction(database, async (trx) => {
        if (by != null) await nameActor(trx, by);
        await lockForChange(trx, tables, recipientId);
        if (!(await updateRecipient(trx, tables, { clock, encryption }, recipientId, change))) return null;
        if (change.state?.to === "active") await startAnew(trx, tables, clock, recipientId);
        return readRecipient<T>(trx, tables, recipientId);
      }),

    removeRecipient: (recipientId, by) =>
      inTransaction(database, async (trx) => {
        if (by != null) await nameActor(trx, by);
        await lockForChange(trx, tables, recipientId);
        const now = clock.now();
        const reason: Reason = { code: "sender.recipient_removed", message: "The recipient was removed by a person." };
        const removed = await sql`
          update ${tables.recipients}
          set state = 'removed', state_reason = ${JSON.stringify(reason)}, state_changed_at = ${now},
            credential = null, credential_encoding = null, key_id = null, signing_secrets = null,
            signing_secrets_encoding = null, signing_secrets_key_id = null, signing_secret_count = 0, client_certificate = null,
            client_certificate_encoding = null, client_certificate_key_id = null, client_certificate_expires_at = null,
            updated_at = ${now}
          where id = ${recipientId} and state <> 'removed'`.execute(trx);
        if (removed.rowCount !== 1) return false;
        await sql`
          update ${tables.lanes} set due_at = null
          where recipient_id = ${recipientId} and due_at is not null`.execute(trx);
        await sql`
          update ${tables.deliveries}
          set state = 'dead', dead_reason = ${JSON.stringify(reason)}, finished_at = ${now}
          where recipient_id = ${recipientId} and state = 'pending'`.execute(trx);
        return true;
      }),

    listDeliveries: (filter, page) => listDeliveries<T>(connection, tables, filter, page),

    async readDelivery(deliveryId) {
      const { rows } = await sql<DeliveryView<T>>`${selectDeliveries(tables)} where d.id = ${deliveryId}`.execute(
        connection,
      );
      return rows[0] ?? null;
    },

    async listAttempts(deliveryId, limit) {
      const delivery = await sql`select from ${tables.deliveries} where id = ${deliveryId}`.execute(connection);
      if (delivery.rows.length === 0) return null;
      const { rows } = await sql<AttemptView>`
        select ${columnsOf(attempt, "a")}
        from ${tables.attempts} a where a.delivery_id = ${deliveryId}
        order by a.number desc limit ${limit}`.execute(connection);
      return rows;
    },

    resend: (deliveryId) => inTransaction(database, (trx) => resend<T>(trx, tables, clock, deliveryId)),
  };
}

/** Neither this nor a newer notification of the order has a delivery: an old state must not follow a newer one. */
const wentToNobody = (tables: DeliveryTables) => sql`not exists (
  select from ${tables.bodies} later join ${tables.deliveries} d on d.${tables.bodyId} = later.id
  where later.order_id = b.order_id and (later.created_at, later.id) >= (b.created_at, b.id))`;

/** Sends in the order of the announcements, so that newer ones supersede older ones here as well. */
async function sendMissed(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  recipientId: string,
  since: Date,
): Promise<number | null> {
  const recipient = await sql`
    select from ${tables.recipients} where id = ${recipientId} and state <> 'removed' ${lockForAdding}`.execute(trx);
  if (recipient.rows.length === 0) return null;
  const { rows } = await sql<{ bodyId: string; orderId: string }>`
    with missed as (
      select b.id, b.order_id, b.created_at,
        row_number() over (partition by b.order_id order by b.created_at desc, b.id desc) as age, r.ordering
      from ${tables.bodies} b join ${tables.recipients} r on r.id = ${recipientId}
      where b.created_at >= ${since} and ${wentToNobody(tables)}
        and ${fits({ airline: sql.ref("b.airline"), agencyId: sql.ref("b.agency_id") })}
    )
    select id as "bodyId", order_id as "orderId" from missed
    where age = 1 or ordering = 'every' order by created_at, id`.execute(trx);
  for (const { bodyId, orderId } of rows) await addDelivery(trx, tables, clock, { recipientId, orderId }, bodyId);
  await notifyDue(trx, tables);
  return rows.length;
}

const selectRecipients = (tables: DeliveryTables) => sql`
  select ${named(tables.input)}, ${columnsOf(anyRecipient, "r", {
    authorization: sql`jsonb_build_object('type', r.auth_type)`,
    signingSecrets: sql`r.signing_secret_count`,
    clientCertificate: sql`case when r.client_certificate_expires_at is not null
      then jsonb_build_object('expiresAt', r.client_certificate_expires_at) end`,
    trouble: sql`(${lastError(tables)})`,
    failing: sql`case when r.failing_since is not null
      then jsonb_build_object('since', r.failing_since, 'failedInRow', r.failed_in_row) end`,
    hold: sql`case when r.held_until is not null and r.held_because is not null
      then jsonb_build_object('until', r.held_until, 'because', r.held_because) end`,
    pendingDeliveries: sql`(
      select count(*) from ${tables.deliveries} d where d.recipient_id = r.id and d.state = 'pending'
    )`,
  })}
  from ${tables.recipients} r`;

/** Selects the error of the last attempt that was sent: not one under way, nor one that was given back. */
const lastError = (tables: DeliveryTables) => sql`
  select jsonb_build_object(
    'code', a.error_code,
    'message', coalesce(a.error_message, 'The recipient responded with ' || a.http_status || case a.error_code
      when 'sender.not_acknowledged' then ', but not with an AcknowledgeResponse whose Status is OK.' else '.' end),
    'at', a.started_at
  )
  from ${tables.deliveries} d
  join ${tables.attempts} a on a.delivery_id = d.id and a.number >= d.attempts - 2
    and a.error_code is not null and a.error_code <> 'sender.not_sent'
  where d.recipient_id = r.id and d.state = 'pending' and d.failures > 0
  order by a.id desc limit 1`;

function named(columns: DeliveryTables["input"]) {
  return sql.join(Object.entries(columns).map(([member, column]) => sql`${column} as ${sql.ref(member)}`));
}

const recipientDates = datesOf(anyRecipient);

async function readRecipient<T extends DeliveryKind>(
  executor: Connection,
  tables: DeliveryTables,
  recipientId: string,
): Promise<RecipientView<T> | null> {
  const { rows } = await sql<RecipientView<T>>`
    ${selectRecipients(tables)} where r.id = ${recipientId} and r.state <> 'removed'`.execute(executor);
  return rows[0] === undefined ? null : recipientDates(rows[0]);
}

async function updateRecipient(
  executor: Connection,
  tables: DeliveryTables,
  { clock, encryption }: { readonly clock: Clock; readonly encryption: Encryption },
  recipientId: string,
  change: AnyRecipientChange,
): Promise<boolean> {
  const now = clock.now();
  const own = recipientEncryption(encryption, tables.recipientTable, recipientId);
  const assignments = [sql`updated_at = ${now}`];
  if (change.name !== undefined) assignments.push(sql`name = ${change.name}`);
  if (change.url !== undefined) assignments.push(sql`url = ${change.url}`);
  if (change.authorization !== undefined) {
    const encrypted = await encryptCredential(own, change.authorization);
    assignments.push(sql`auth_type = ${change.authorization.type}, credential = ${encrypted.body},
      credential_encoding = ${encrypted.bodyEncoding}, key_id = ${encrypted.keyId}`);
  }
  if (change.signingSecrets !== undefined) {
    const signing = await encryptSigningSecrets(own, change.signingSecrets);
    assignments.push(sql`signing_secrets = ${signing?.body ?? null},
      signing_secrets_encoding = ${signing?.bodyEncoding ?? null}, signing_secrets_key_id = ${signing?.keyId ?? null},
      signing_secret_count = ${change.signingSecrets.length}`);
  }
  if (change.clientCertificate !== undefined) {
    const certificate = await encryptClientCertificate(own, change.clientCertificate);
    assignments.push(sql`client_certificate = ${certificate?.body ?? null},
      client_certificate_encoding = ${certificate?.bodyEncoding ?? null},
      client_certificate_key_id = ${certificate?.keyId ?? null},
      client_certificate_expires_at = ${change.clientCertificate?.expiresAt ?? null}`);
  }
  if (change.ordering !== undefined) assignments.push(sql`ordering = ${change.ordering}`);
  for (const [member, column] of Object.entries(tables.input)) {
    const input: unknown = Reflect.get(change, member);
    if (input !== undefined) assignments.push(sql`${column} = ${input}::text[]`);
  }
  if (change.acknowledgement !== undefined) assignments.push(sql`acknowledgement = ${change.acknowledgement}`);
  if (change.deadlineMs !== undefined) assignments.push(sql`deadline_ms = ${change.deadlineMs}`);
  if (change.lanesMax !== undefined) assignments.push(sql`lanes_max = ${change.lanesMax}`);
  if (change.ratePerSecond !== undefined) {
    assignments.push(sql`rate_per_second = ${change.ratePerSecond}, paced_until = null`);
  }
  if (change.agencyId !== undefined) assignments.push(sql`agency_id = ${change.agencyId}`);
  if (change.state !== undefined) {
    const reason = change.state.to === "paused" ? JSON.stringify(change.state.reason) : null;
    assignments.push(sql`state = ${change.state.to}, state_reason = ${reason}, state_changed_at = ${now}`);
    if (change.state.to === "active") {
      assignments.push(sql`failed_in_row = 0, failing_since = null, failing_notices = 0, held_until = null,
        held_because = null, ramp_lanes = case when state = 'active' and held_until is null then ramp_lanes else 1 end`);
    }
  }
  const updated = await sql`
    update ${tables.recipients} set ${sql.join(assignments)}
    where id = ${recipientId} and state <> 'removed'`.execute(executor);
  return updated.rowCount === 1;
}

/** Makes all pending deliveries of the recipient due now, with a new retry schedule. */
async function startAnew(
  executor: Connection,
  tables: DeliveryTables,
  clock: Clock,
  recipientId: string,
): Promise<void> {
  const now = clock.now();
  await sql`
    update ${tables.lanes} set due_at = least(due_at, ${now}), is_retry = false
    where recipient_id = ${recipientId} and due_at is not null`.execute(executor);
  await sql`
    update ${tables.deliveries} set failures = 0, first_tried_at = null, due_at = least(due_at, ${now})
    where recipient_id = ${recipientId} and state = 'pending' and first_tried_at is not null`.execute(executor);
  await notifyDue(executor, tables);
}

const selectDeliveries = (tables: DeliveryTables) => sql`
  select ${named(tables.shown)}, ${columnsOf(anyDelivery, "d", {
    dueAt: sql`case when d.state = 'pending' then d.due_at end`,
    waitsFor: sql`case when d.state = 'pending' then (
      select h.id from ${tables.deliveries} h
      where h.recipient_id = d.recipient_id and h.order_id = d.order_id and h.state = 'pending'
        and h.position < d.position
      order by h.position limit 1
    ) end`,
    lastAttempt: sql`(
      select jsonb_build_object('outcome', a.outcome, 'httpStatus', a.http_status, 'errorCode', a.error_code)
      from ${tables.attempts} a where a.delivery_id = d.id and a.outcome is not null
        and a.error_code is distinct from 'sender.not_sent'
      order by a.number desc limit 1
    )`,
    resentAs: sql`(
      select again.id from ${tables.deliveries} again where again.replay_of = d.id order by again.position desc limit 1
    )`,
    bodyBytes: sql`b.body_bytes`,
    bodyDigest: sql`encode(b.digest, 'hex')`,
  })}
  from ${tables.deliveries} d
  join ${tables.bodies} b on b.id = d.${tables.bodyId}`;

async function listDeliveries<T extends DeliveryKind>(
  executor: Connection,
  tables: DeliveryTables,
  filter: DeliveryFilter<T>,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<Page<DeliveryView<T>>> {
  const conditions = [deliveriesThatFit(tables, filter)];
  if (page.cursor !== null) {
    conditions.push(sql`d.position < (select position from ${tables.deliveries} where id = ${page.cursor})`);
  }
  const { rows } = await sql<DeliveryView<T>>`
    ${selectDeliveries(tables)} where ${sql.join(conditions, sql` and `)}
    order by d.position desc limit ${page.limit + 1}`.execute(executor);
  return toPage(rows, page.limit);
}

export function deliveriesThatFit(tables: DeliveryTables, filter: AnyDeliveryFilter) {
  const conditions = [sql`true`];
  if (filter.state !== undefined) conditions.push(sql`d.state = ${filter.state}`);
  if (filter.orderId !== undefined) conditions.push(isOrder(filter.orderId));
  if (filter.recipientId !== undefined) conditions.push(sql`d.recipient_id = ${filter.recipientId}`);
  for (const [member, column] of Object.entries(tables.found)) {
    const input: unknown = Reflect.get(filter, member);
    if (input !== undefined) conditions.push(sql`${column} = ${input}`);
  }
  if (filter.since !== undefined) conditions.push(sql`b.created_at >= ${filter.since}`);
  if (filter.until !== undefined) conditions.push(sql`b.created_at < ${filter.until}`);
  return sql.join(conditions, sql` and `);
}

function isOrder(orderId: string) {
  if (!orderId.endsWith("*")) return sql`d.order_id = ${orderId}`;
  const beginning = orderId.slice(0, -1);
  if (beginning === "") return sql`true`;
  // Bounds instead of `like`, whose index a plan for any parameter cannot use. No character is behind U+10FFFF.
  return sql`upper(d.order_id) ~>=~ upper(${beginning}) and upper(d.order_id) ~<~ (upper(${beginning}) || ${"\u{10ffff}"})`;
}

async function resend<T extends DeliveryKind>(
  executor: Connection,
  tables: DeliveryTables,
  clock: Clock,
  deliveryId: string,
): Promise<ResendOutcome<T>> {
  const { rows } = await sql<ResentRow>`
    select d.${tables.bodyId} as "bodyId", d.recipient_id as "recipientId", d.order_id as "orderId", r.state,
      (select count(*) from ${tables.bodies} newer
       where newer.order_id = b.order_id and newer.created_at > b.created_at) as "newerNotifications"
    from ${tables.deliveries} d
    join ${tables.recipients} r on r.id = d.recipient_id
    join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where d.id = ${deliveryId}
    ${lockForAdding} of r`.execute(executor);
  const original = rows[0];
  if (original === undefined) return { outcome: "not-found" };
  if (original.state === "removed") return { outcome: "recipient-removed" };

  const id = await addResend(executor, tables, clock, { ...original, id: deliveryId });
  await notifyDue(executor, tables);
  const added = await sql<DeliveryView<T>>`${selectDeliveries(tables)} where d.id = ${id}`.execute(executor);
  return { outcome: "replayed", delivery: added.rows[0]!, newerNotifications: original.newerNotifications };
}

/** Returns the new delivery's id. The caller prevents removal of the recipient. */
export async function addResend(
  executor: Connection,
  tables: DeliveryTables,
  clock: Clock,
  original: Lane & { readonly id: string; readonly bodyId: string },
): Promise<string> {
  const id = newId(clock);
  const now = clock.now();
  await sql`
    update ${tables.lanes} set due_at = coalesce(due_at, ${now})
    where recipient_id = ${original.recipientId} and order_id = ${original.orderId}`.execute(executor);
  await sql`
    insert into ${tables.deliveries} (id, ${tables.bodyId}, recipient_id, order_id, due_at, replay_of, created_at)
    values (${id}, ${original.bodyId}, ${original.recipientId}, ${original.orderId}, ${now}, ${original.id},
      ${now})`.execute(executor);
  return id;
}

interface ResentRow extends Lane {
  readonly bodyId: string;
  readonly state: string;
  readonly newerNotifications: number;
}

function toPage<T extends { readonly id: string }>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
