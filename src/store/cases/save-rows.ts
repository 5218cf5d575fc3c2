import type { RefundFollowUp } from "../../cases/case-update.ts";
import { isByPerson } from "../../cases/decision.ts";
import type { NewDecision } from "../../cases/new-decision.ts";
import type { CaseSnapshot } from "../../cases/order-context.ts";
import type { Change, TimelineEvent } from "../../cases/step.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { Lease } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedColumn, Encryption } from "../database/encryption.ts";
import type { BodyRow, EncryptedBody } from "../database/recordset.ts";
import { tokensOfTravellers } from "../search/name-tokens.ts";
import { type CaseWrite, caseRows, type NameTokens, taskRow } from "./write-cases.ts";
import { type DecisionRow, decisionEvent, decisionRow, encryptDocument } from "./write-decisions.ts";

/** What one step of an order writes. */
export interface StepSave {
  readonly lease: Lease;
  readonly caseBefore: CaseSnapshot;
  readonly changes: readonly Change[];
  /** The bodies of changes, encrypted. */
  readonly bodies: ReadonlyMap<Change, EncryptedBody>;
  /** The encrypted documents of all decisions in the changes. Their rows have the ids that these decisions get. */
  readonly decisionDocuments: ReadonlyMap<NewDecision, EncryptedBody>;
  /** Tokens of the travellers whom this step read, for the search; null if it read none. */
  readonly names: NameTokens | null;
  readonly at: Date;
  /** Whether the lease ends with it. */
  readonly endsLease: boolean;
  /** Whether it is saved even if the lease is lost, because it comes with the outcome of an effect. */
  readonly isEvidence?: boolean;
  readonly newId: () => string;
}

/** Prepares what a step saves: its bodies and decisions encrypted, and the names in them as tokens. */
export async function prepareSave(
  { encryption }: Database,
  clock: Clock,
  lease: Lease,
  caseBefore: CaseSnapshot,
  changes: readonly Change[],
  endsLease: boolean,
): Promise<StepSave> {
  const encrypted = await Promise.all(
    changes.map(async (change) => [change, await encrypt(encryption, clock, caseBefore, change)] as const),
  );
  return {
    lease,
    caseBefore,
    changes,
    bodies: new Map(encrypted.flatMap(([change, body]) => (body === null ? [] : [[change, body]]))),
    decisionDocuments: new Map(await Promise.all(encryptedDecisions(encryption, clock, changes))),
    names: namesIn(encryption, caseBefore, changes),
    at: clock.now(),
    endsLease,
    newId: () => newId(clock),
  };
}

async function encrypt(
  encryption: Encryption,
  clock: Clock,
  { repeatedBody }: CaseSnapshot,
  change: Change,
): Promise<EncryptedBody | null> {
  const encryptFor = async (column: EncryptedColumn, row: string, body: Uint8Array): Promise<EncryptedBody> => ({
    row,
    ...(await encryption.encryptBody(body, { column, row }, repeatedBody)),
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

function encryptedDecisions(encryption: Encryption, clock: Clock, changes: readonly Change[]) {
  return changes.flatMap(decisionsIn).map(async ({ id, decision }) => {
    return [decision, await encryptDocument(encryption, id ?? newId(clock), decision)] as const;
  });
}

/** A follow-up, which is not always stored, has no id yet. */
function decisionsIn(change: Change): readonly { readonly id: string | null; readonly decision: NewDecision }[] {
  switch (change.kind) {
    case "decision":
      return [change];
    case "effect-outcome":
      return change.ending.followUp === null ? [] : [{ id: null, decision: change.ending.followUp }];
    case "settle-read":
      return change.followUp === null ? [] : [{ id: null, decision: change.followUp }];
    default:
      return [];
  }
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

/** What `writeSaves` writes for any step. */
export const alwaysPlain: ReadonlySet<Change["kind"]> = new Set(["status-view", "documents", "decision", "move"]);

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { readonly kind: Kind }>;

/**
 * Whether `writeSaves` can write a change. The others need something from the database before it is known what they write,
 * or are too rare to be worth a part of the statement.
 */
export function isPlain(change: Change, changes: readonly Change[]): boolean {
  if (alwaysPlain.has(change.kind)) return true;
  switch (change.kind) {
    case "effect-sent": {
      const decided = findChange(changes, "decision");
      return change.hourlyLimit === null && decided !== undefined && !isByPerson(decided.decision);
    }
    case "effect-outcome":
      return change.isResponse && change.outcome.state === "succeeded";
    default:
      return false;
  }
}

function findChange<Kind extends Change["kind"]>(changes: readonly Change[], kind: Kind): ChangeOf<Kind> | undefined {
  return changes.find((change): change is ChangeOf<Kind> => change.kind === kind);
}

/** The rows of each table, as JSON. `place` says to which save a row belongs. */
export interface SaveRows {
  readonly orders: readonly object[];
  readonly statusViews: readonly BodyRow[];
  readonly documents: readonly BodyRow[];
  readonly decisions: readonly DecisionRow[];
  readonly moves: readonly object[];
  readonly searches: readonly object[];
  readonly effects: readonly object[];
  readonly outcomes: readonly BodyRow[];
  readonly tasks: readonly object[];
  readonly events: readonly object[];
}

export function rowsOf(saves: readonly StepSave[]): SaveRows {
  const all = saves.map(rowsOfOne);
  return {
    orders: all.flatMap(({ orders }) => orders),
    statusViews: all.flatMap(({ statusViews }) => statusViews),
    documents: all.flatMap(({ documents }) => documents),
    decisions: all.flatMap(({ decisions }) => decisions),
    moves: all.flatMap(({ moves }) => moves),
    searches: all.flatMap(({ searches }) => searches),
    effects: all.flatMap(({ effects }) => effects),
    outcomes: all.flatMap(({ outcomes }) => outcomes),
    tasks: all.flatMap(({ tasks }) => tasks),
    events: all.flatMap(({ events }) => events),
  };
}

function rowsOfOne(save: StepSave, place: number): SaveRows {
  const { lease, caseBefore, changes, bodies, decisionDocuments, at, newId } = save;
  const viewsOf = (kind: "status-view" | "documents") =>
    changes.flatMap((change) =>
      change.kind === kind
        ? [
            {
              columns: { place, purpose: "purpose" in change ? change.purpose : null, readAt: change.readAt },
              encrypted: bodies.get(change),
            },
          ]
        : [],
    );
  const decided = findChange(changes, "decision");
  const sent = findChange(changes, "effect-sent");
  const settled = findChange(changes, "effect-outcome");
  const write = caseWriteOf(save);
  const written = write === null ? null : caseRows(place, write);
  const refund = settled?.ending.refund ?? null;
  const tasks = [...(findChange(changes, "move")?.tasks ?? []), ...(refund?.task == null ? [] : [refund.task])];
  return {
    orders: [
      {
        place,
        source: lease.source,
        orderId: lease.orderId,
        fence: lease.fence,
        caseId: caseBefore.id,
        decisionBefore: caseBefore.decisionId,
        requeueCount: caseBefore.requeueCount,
        endsLease: save.endsLease,
        isEvidence: save.isEvidence === true,
        beginsEffect: sent !== undefined,
        settledEffectId: settled?.effectId,
        booked: decided?.baseline?.booked,
        bookedFrom: decided?.baseline?.from,
        accepted: settled?.ending.accepted,
      },
    ],
    statusViews: viewsOf("status-view"),
    documents: viewsOf("documents"),
    decisions:
      decided === undefined ? [] : [decisionRow(place, at, decided.decision, decisionDocuments.get(decided.decision)!)],
    moves: written === null ? [] : [written.move],
    searches: written?.search == null ? [] : [written.search],
    effects:
      sent === undefined
        ? []
        : [{ place, id: sent.id, decisionId: decided?.id, plannedAt: at, ...effectColumns(sent) }],
    outcomes:
      settled === undefined
        ? []
        : [
            {
              columns: { place, finishedAt: at, results: settled.outcome.results, refundCheck: refund?.check },
              encrypted: bodies.get(settled),
            },
          ],
    tasks: tasks.map((task) => taskRow(place, newId(), at, task)),
    events: eventsOf(changes).map(({ isAfterTasks, ...event }, n) => ({
      ...event,
      place,
      at,
      n: isAfterTasks ? linePlaces.tasks + 1 + n : n,
    })),
  };
}

/** The change of the case itself; null for saves of views alone. */
function caseWriteOf({ lease, caseBefore, changes, names, at }: StepSave): CaseWrite | null {
  const decided = findChange(changes, "decision");
  const moved = findChange(changes, "move");
  const settled = findChange(changes, "effect-outcome");
  const move = (decided ?? moved ?? settled?.ending)?.move;
  if (move === undefined) return null;
  return {
    caseBefore,
    at,
    move,
    failure: moved?.failure ?? null,
    decided: decided ?? null,
    traceparent: lease.traceparent,
    names,
  };
}

function effectColumns({ attempt }: ChangeOf<"effect-sent">) {
  const { action, gdsBookingReferences, proposalDigest, expectedRefund } = attempt;
  return { action, gdsBookingReferences, proposalDigest, expectedRefund };
}

/** Where lines stand among those of one save, which are numbered from 0: what is voided first, tasks at the end. */
export const linePlaces = { voided: -1, tasks: 100 };

interface EventRow extends TimelineEvent {
  /** Written only if the effect is not refused. */
  readonly isOfEffect?: boolean;
  readonly isAfterTasks?: boolean;
}

function eventsOf(changes: readonly Change[]): readonly EventRow[] {
  return changes.flatMap((change): readonly EventRow[] => {
    switch (change.kind) {
      case "decision":
        return [decisionEvent(change.id, change.decision)];
      case "move":
        return change.event === null ? [] : [change.event];
      case "effect-sent":
        return sentEvents(change).map((event) => ({ ...event, isOfEffect: true }));
      case "effect-outcome": {
        const { refund } = change.ending;
        return refund?.task == null
          ? [outcomeEvent(change)]
          : [outcomeEvent(change), { ...refundEvent(change.effectId, refund), isAfterTasks: true }];
      }
      default:
        return [];
    }
  });
}

export function sentEvents({ id, attempt }: ChangeOf<"effect-sent">): readonly TimelineEvent[] {
  const { action, gdsBookingReferences } = attempt;
  return [
    { kind: "effect.planned", detail: { effectId: id, action, gdsBookingReferences } },
    { kind: "effect.sent", detail: { effectId: id } },
  ];
}

export function outcomeEvent({ effectId, outcome }: ChangeOf<"effect-outcome">): TimelineEvent {
  return { kind: `effect.${outcome.state}`, detail: { effectId, error: outcome.error } };
}

/** Beside a task to check the refund. */
export function refundEvent(effectId: string, { check }: RefundFollowUp): TimelineEvent {
  return { kind: check === "lower" ? "refund.lower" : "refund.unknown", detail: { effectId } };
}
