import { type RawBuilder, sql } from "kysely";
import { contradictingReasons } from "../../cases/brake.ts";
import type { CaseSnapshot } from "../../cases/order-context.ts";
import type { Change, DecisionChange, MoveChange } from "../../cases/step.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { type Lease, leaseLost, type SaveResult } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedColumn, Encryption } from "../database/encryption.ts";
import { inTransaction } from "../database/transaction.ts";
import { storeSeen } from "../members/observed-members.ts";
import { holdLease, lockOrder, released, releaseLease } from "../orders/leases.ts";
import { tokensOfTravellers } from "../search/name-tokens.ts";
import { waitForSwitch } from "./automation.ts";
import { brake, lockHour } from "./brake.ts";
import {
  addCaseEvent,
  announceDue,
  decisionEvent,
  insertDecision,
  json,
  moveCase,
  type NameTokens,
} from "./case-rows.ts";
import { saveOutcome } from "./effect-outcome.ts";
import { countSettleRead, markSent } from "./effects.ts";
import { openNextCase } from "./open-next-case.ts";
import { openTask } from "./open-task.ts";
import type { EncryptedBody, SaveContext } from "./save-context.ts";

/** Saves the changes of a step in one transaction. Their statements are sent together, in the order of the changes. */
export async function saveChanges(
  database: Database,
  clock: Clock,
  lease: Lease,
  caseBefore: CaseSnapshot,
  changes: readonly Change[],
  isLast: boolean,
): Promise<SaveResult> {
  const bodies = await Promise.all(changes.map((change) => encrypt(database, clock, change)));
  const names = namesIn(database.encryption, caseBefore, changes);
  const at = clock.now();
  return await inTransaction(database, async (transaction) => {
    const decisionId = changes.find((change) => change.kind === "decision")?.id ?? caseBefore.decisionId;
    const saving = { transaction, lease, caseBefore, at, decisionId, names, newId: () => newId(clock) };
    const sent = changes.find((change) => change.kind === "effect-sent");
    const [, , leaseLeftMs, ...saved] = await Promise.all([
      sent === undefined ? null : waitForSwitch(transaction, lease.source),
      sent === undefined || sent.hourlyLimit === null ? null : lockHour(transaction, lease.source),
      claimOrder(saving, changes, isLast),
      ...changes.map((change, index) => saveChange({ ...saving, encrypted: bodies[index]! }, change)),
    ]);
    return Object.assign({ isRefused: false, leaseLeftMs }, ...saved);
  });
}

/**
 * From what a decision is based on, and from tickets that were read after an effect. A case whose status cannot be read
 * is found by its notification.
 */
function namesIn(encryption: Encryption, caseBefore: CaseSnapshot, changes: readonly Change[]): NameTokens | null {
  const isDecided = changes.some(({ kind }) => kind === "decision");
  const isPostponed = changes.some((change) => change.kind === "move" && change.failure !== null);
  const read = changes.flatMap((change) =>
    change.kind === "documents" || (change.kind === "status-view" && isDecided)
      ? tokensOfTravellers(encryption, change.travellers)
      : [],
  );
  const tokens = [...new Set([...(isDecided || isPostponed ? (caseBefore.nameTokens ?? []) : []), ...read])];
  return tokens.length === 0 ? null : { tokens, key: encryption.currentKeyId };
}

/** Checks the worker's lease and writes the order's columns; returns the lease's remaining time in ms. */
async function claimOrder(
  { transaction, lease }: Pick<SaveContext, "transaction" | "lease">,
  changes: readonly Change[],
  isLast: boolean,
): Promise<number> {
  // The outcome of an effect is evidence, so it is saved whoever has the order by now.
  if (changes.some(({ kind }) => kind === "effect-outcome")) {
    await Promise.all([
      lockOrder(transaction, lease.source, lease.orderId),
      isLast ? releaseLease(transaction, lease) : null,
    ]);
    return 0;
  }
  const columns = changes.flatMap((change) => (change.kind === "decision" ? bookedColumns(change) : []));
  return await holdLease(transaction, lease, isLast ? [...columns, released] : columns);
}

function bookedColumns({ baseline }: DecisionChange): readonly RawBuilder<unknown>[] {
  if (baseline === null) return [];
  const { booked, from } = baseline;
  return [
    sql`booked_from = case when booked_itinerary is null then ${from} else booked_from end`,
    sql`booked_itinerary = coalesce(booked_itinerary, ${json(booked)})`,
  ];
}

async function encrypt({ encryption }: Database, clock: Clock, change: Change): Promise<EncryptedBody | null> {
  const encryptFor = async (column: EncryptedColumn, row: string, body: Uint8Array): Promise<EncryptedBody> => ({
    row,
    ...(await encryption.encryptBody(body, { column, row })),
  });
  switch (change.kind) {
    case "status-view":
      return await encryptFor("skedchange.status_views.body", change.id, change.body);
    case "documents":
      return await encryptFor("skedchange.document_views.body", newId(clock), change.body);
    case "effect-outcome": {
      const { effectId, outcome } = change;
      return outcome.response === null
        ? null
        : await encryptFor("skedchange.effects.answer", effectId, outcome.response);
    }
    default:
      return null;
  }
}

function saveChange(saving: SaveContext, change: Change): Promise<Partial<SaveResult>> {
  switch (change.kind) {
    case "status-view":
      return saveStatusView(saving, change);
    case "documents":
      return saveDocuments(saving, change);
    case "members":
      return saveMembers(saving, change);
    case "decision":
      return saveDecision(saving, change);
    case "move":
      return saveMove(saving, change);
    case "next-case":
      return saveNextCase(saving);
    case "effect-sent":
      return markSent(saving, change);
    case "effect-outcome":
      return saveOutcome(saving, change);
    case "settle-read":
      return countSettleRead(saving, change);
  }
}

type Of<Kind extends Change["kind"]> = Extract<Change, { readonly kind: Kind }>;

async function saveStatusView(
  { transaction, caseBefore, encrypted }: SaveContext,
  { purpose, readAt }: Of<"status-view">,
) {
  const { row, body, bodyEncoding, bodyBytes, keyId } = encrypted!;
  await sql`
    insert into skedchange.status_views
      (id, case_id, purpose, read_at, body, body_encoding, body_bytes, key_id, is_bound)
    values (${row}, ${caseBefore.id}, ${purpose}, ${readAt}, ${body}, ${bodyEncoding}, ${bodyBytes}, ${keyId}, true)
  `.execute(transaction);
  return {};
}

async function saveDocuments({ transaction, caseBefore, encrypted }: SaveContext, { readAt }: Of<"documents">) {
  const { row, body, bodyEncoding, bodyBytes, keyId } = encrypted!;
  await sql`
    insert into skedchange.document_views (id, case_id, read_at, body, body_encoding, body_bytes, key_id, is_bound)
    values (${row}, ${caseBefore.id}, ${readAt}, ${body}, ${bodyEncoding}, ${bodyBytes}, ${keyId}, true)
  `.execute(transaction);
  return {};
}

async function saveMembers({ transaction, lease, at }: SaveContext, seen: Of<"members">) {
  await storeSeen(transaction, lease, seen, at);
  return {};
}

async function saveDecision(saving: SaveContext, { id, decision, move }: DecisionChange) {
  const { transaction, lease, caseBefore, at, names } = saving;
  const [, isMoved] = await Promise.all([
    insertDecision(transaction, caseBefore.id, id, at, decision),
    moveCase(transaction, {
      caseBefore,
      at,
      move,
      failure: null,
      underDecision: true,
      traceparent: lease.traceparent,
      decided: { id, decision },
      names,
      events: [decisionEvent(id, decision)],
    }),
  ]);
  if (!isMoved) throw leaseLost(lease);
  return contradictingReasons.includes(decision.reasons[0]?.code ?? "") ? await brake(saving) : {};
}

async function saveMove(saving: SaveContext, { move, event, tasks, failure }: MoveChange) {
  const { transaction, lease, caseBefore, at, names } = saving;
  const [isMoved] = await Promise.all([
    moveCase(transaction, {
      caseBefore,
      at,
      move,
      failure,
      decided: null,
      names,
      underDecision: true,
      events: event === null ? [] : [event],
    }),
    ...tasks.map((task) => openTask(transaction, caseBefore.id, saving.newId(), at, task)),
  ]);
  if (!isMoved) throw leaseLost(lease);
  return {};
}

async function saveNextCase({ transaction, caseBefore, at, newId: makeId }: SaveContext) {
  const { id: finishedId, gdsBookingReferences } = caseBefore;
  const id = makeId();
  await sql`update skedchange.cases set due_at = null where id = ${finishedId}`.execute(transaction);
  const next = { id, at, finishedId, gdsBookingReferences, isReopened: false, traceparent: null };
  if (!(await openNextCase(transaction, next))) return {};
  const detail = { after: finishedId };
  await addCaseEvent(transaction, { caseId: id, at, kind: "case.opened", actor: "worker", detail });
  await announceDue(transaction);
  return {};
}
