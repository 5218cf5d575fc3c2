import { contradictingReasons } from "../../cases/brake.ts";
import type { Change } from "../../cases/step.ts";
import { leaseLost, type SaveResult } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inPipelinedTransaction, inTransaction } from "../database/transaction.ts";
import { storeSeen } from "../members/observed-members.ts";
import { brake, lockHour } from "./brake.ts";
import { caseChannel } from "./case-listener.ts";
import { addCaseEvent, announceDue } from "./case-rows.ts";
import { type IfLocked, lockOrders } from "./claim-orders.ts";
import { saveOutcome } from "./effect-outcome.ts";
import { countSettleRead, markSent } from "./effects.ts";
import { openNextCase } from "./open-next-case.ts";
import type { SaveContext } from "./save-context.ts";
import { alwaysPlain, isPlain, type StepSave } from "./save-rows.ts";
import { writeSaves } from "./write-saves.ts";

/**
 * Saves steps whose changes are all plain in one transaction, and leaves out orders that are locked.
 * @returns null for each that was left out or refused: `saveAlone` says which
 */
export async function saveTogether(
  database: Database,
  saves: readonly StepSave[],
): Promise<readonly (SaveResult | null)[]> {
  const results = await writeUnderLocks(database, saves, "skip");
  announce(database, ...saves.filter((_, index) => results[index] !== null));
  return results;
}

/** Whether a step's changes may be saved together with those of others. */
export function isGatherable({ changes }: StepSave): boolean {
  return changes.every((change) => isPlain(change, changes)) && !changes.some(mayStopAutomation);
}

/**
 * Saves one step in one transaction, whatever its changes.
 * @throws `desk.lease_lost`
 */
export async function saveAlone(database: Database, save: StepSave): Promise<SaveResult> {
  const result = await saveWhole(database, save);
  announce(database, save);
  return result;
}

async function saveWhole(database: Database, save: StepSave): Promise<SaveResult> {
  if (isGatherable(save)) {
    const [result] = await writeUnderLocks(database, [save], "wait");
    if (result != null) return result;
    // An outcome is also refused if its effect has ended or its case has moved on. It is evidence, so it is recorded below.
    if (!save.changes.some(({ kind }) => kind === "effect-outcome")) throw leaseLost(save.lease);
  }
  return await inTransaction(database, (transaction) => saveInParts(transaction, save));
}

function announce({ announcer }: Database, ...saved: readonly StepSave[]): void {
  if (saved.length === 0) return;
  announcer.announce(
    caseChannel,
    saved.map(({ caseBefore }) => caseBefore.id),
  );
}

export function isDeciding({ changes }: StepSave): boolean {
  return changes.some(({ kind }) => kind === "decision");
}

/** Whoever waits with a decision locks its order by a statement before. All else is one statement, a transaction by itself. */
async function writeUnderLocks(
  database: Database,
  saves: readonly StepSave[],
  ifLocked: IfLocked,
): Promise<readonly (SaveResult | null)[]> {
  if (ifLocked === "skip" || !saves.some(isDeciding)) return await writeSaves(database.connection, saves, ifLocked);
  const [, results] = await inPipelinedTransaction(database, (transaction) =>
    Promise.all([lockOrders(transaction, saves.map(orderOf)), writeSaves(transaction, saves, ifLocked)]),
  );
  return results;
}

function orderOf({ lease: { source, orderId }, changes }: StepSave) {
  return { source, orderId, isSending: changes.some(({ kind }) => kind === "effect-sent") };
}

/**
 * Writes views, the decision and the move by `writeSaves`, which also checks the lease and ends it, and each other change by
 * statements of its own. All are sent together, in the order of the changes.
 */
async function saveInParts(transaction: Connection, save: StepSave): Promise<SaveResult> {
  const { lease, caseBefore, changes } = save;
  const written = changes.filter(({ kind }) => alwaysPlain.has(kind));
  const others = changes.filter((change) => !written.includes(change) || mayStopAutomation(change));
  const sent = others.find((change) => change.kind === "effect-sent");
  const decisionId = changes.find((change) => change.kind === "decision")?.id ?? caseBefore.decisionId;
  const saving = { ...save, transaction, decisionId };
  const isEvidence = changes.some(({ kind }) => kind === "effect-outcome");
  const [, , [result], ...saved] = await Promise.all([
    sent === undefined || sent.hourlyLimit === null ? null : lockHour(transaction, lease.source),
    lockOrders(transaction, [orderOf(save)]),
    writeSaves(transaction, [{ ...save, changes: written, isEvidence }], "wait"),
    ...others.map((change) => saveChange(saving, change)),
  ]);
  if (result == null) throw leaseLost(lease);
  return Object.assign({ ...result }, ...saved);
}

/** Whether it is a decision that asks a person because the status contradicts an effect. */
function mayStopAutomation(change: Change): boolean {
  return change.kind === "decision" && contradictingReasons.includes(change.decision.reasons[0]?.code ?? "");
}

async function saveChange(saving: SaveContext, change: Change): Promise<Partial<SaveResult>> {
  switch (change.kind) {
    case "members":
      await storeSeen(saving.transaction, saving.lease, change, saving.at);
      return {};
    case "decision":
      return await brake(saving);
    case "next-case":
      return await saveNextCase(saving);
    case "effect-sent":
      return await markSent(saving, change);
    case "effect-outcome":
      return await saveOutcome(saving, change);
    case "settle-read":
      return await countSettleRead(saving, change);
    case "status-view":
    case "documents":
    case "move":
      return {};
  }
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
