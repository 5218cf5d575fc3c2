import { describe, expect, test } from "vitest";
import type { ActionContext, ActionStep, ActionTerms, SucceededEffect } from "../../../src/cases/action-change.ts";
import { applyAction } from "../../../src/cases/apply-action.ts";
import { type CaseActionName, caseActionNames } from "../../../src/cases/case-actions.ts";
import {
  type BulkCommand,
  bulkActionNames,
  type CaseAction,
  type CaseCommand,
  caseActionParameters,
  readStoredCommand,
} from "../../../src/cases/case-command.ts";
import { caseStates, isFinished } from "../../../src/cases/lifecycle.ts";
import type { ChangeFacts } from "../../../src/itinerary/fact-catalogue.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";

const at = new Date("2027-03-01T12:00:00Z");
const after = (ms: number) => new Date(at.getTime() + ms);
const minute = 60_000;
const day = 24 * 60 * minute;

type Decision = NonNullable<ActionContext["decision"]>;

const flags: NonNullable<Decision["flags"]> = { accept: known("Y"), cancel: known("Y"), reSchedule: known("N") };

const review: Decision = {
  action: "review",
  rule: "late",
  question: null,
  proposalDigest: "p1",
  flags,
  facts: { orderValue: known("500.00") } as ChangeFacts,
  itineraries: null,
  statusViewId: "view",
  evaluatedAt: at,
  versions: { policy: "1" },
  legal: null,
};

type Changes = Partial<Omit<ActionContext, "case" | "decision">> & {
  readonly case?: Partial<ActionContext["case"]>;
  readonly decision?: Partial<Decision> | null;
};

/** A case at version 7 that asks a person about a change that can be accepted and cancelled. */
function asking({ case: current = {}, decision = {}, ...changes }: Changes = {}): ActionContext {
  return {
    case: {
      id: "case",
      source: "default",
      orderId: "ORDER",
      state: "awaiting-agent",
      version: 7,
      reviewQueue: "reschedule",
      proposalDigest: "p1",
      departureAt: null,
      dueByRule: null,
      firmDueBy: null,
      isOverdue: false,
      failures: 0,
      dueAt: null,
      undoLeftMs: null,
      ...current,
    },
    decision: decision === null ? null : { ...review, ...decision },
    liveEffect: null,
    succeeded: [],
    pendingApproval: null,
    orderHasOpenCase: true,
    assigneeMayAct: false,
    isApproverSetUpByAsker: false,
    ...changes,
  };
}

const terms = (changes: Partial<ActionTerms> = {}): ActionTerms => {
  let ids = 0;
  return { at, newId: () => `id${++ids}`, secondPersonAbove: null, statusLagMs: 10 * minute, ...changes };
};

type Extra = Partial<Pick<CaseAction, "note" | "version" | "actor">>;

function act(
  command: CaseCommand,
  context: ActionContext = asking(),
  extra: Extra & Partial<ActionTerms> = {},
): ActionStep {
  const { note = null, version = null, actor = "person:ana", ...changed } = extra;
  return applyAction(context, { ...command, caseId: "case", note, version, visible: null, actor }, terms(changed));
}

const cancel = { action: "cancel", confirm: "ORDER" } as const;
const approvalId = "asked";
const called = { channel: "phone", happenedAt: after(-minute) } as const;

/** One command of each action. */
const commands: Readonly<Record<CaseActionName, CaseCommand>> = {
  accept: { action: "accept" },
  cancel,
  close: { action: "close" },
  recheck: { action: "recheck" },
  "confirm-effect": { action: "confirm-effect" },
  "refute-effect": { action: "refute-effect" },
  approve: { action: "approve", approvalId },
  "refuse-approval": { action: "refuse-approval", approvalId },
  snooze: { action: "snooze", until: after(day) },
  assign: { action: "assign", assignee: "ana" },
  note: { action: "note" },
  reschedule: { action: "reschedule" },
  "resolved-elsewhere": { action: "resolved-elsewhere" },
  reopen: { action: "reopen" },
  stop: { action: "stop" },
  "traveller-informed": { action: "traveller-informed", ...called },
  "traveller-asked": { action: "traveller-asked", ...called },
  "traveller-answered": { action: "traveller-answered", ...called, answer: "accepts" },
  reference: { action: "reference", reference: "ABC123" },
};

test.each(bulkActionNames)("the command %s is the same after it was stored as JSON", (name) => {
  const command = { ...commands[name], note: "Storm" } as BulkCommand;

  expect(readStoredCommand(JSON.parse(JSON.stringify(command)) as BulkCommand)).toEqual(command);
});

const refusal = (code: string) => ({ outcome: { outcome: "refused", code }, change: null });
const taken = (state: string, decisionId: string | null = null) => ({
  outcome: "accepted",
  caseId: "case",
  state,
  decisionId,
});

const unknownEffect = { id: "effect", action: "accept", state: "unknown", decisionId: "behind" } as const;
const succeeded = (changes: Partial<SucceededEffect> = {}): SucceededEffect => ({
  caseId: "case",
  action: "accept",
  proposalDigest: "p1",
  finishedAt: after(-minute),
  finishedAgoMs: minute,
  ...changes,
});

describe("the version that a person saw", () => {
  test.each([
    ["the same", 7, "accepted"],
    ["none", null, "accepted"],
    ["an older one", 6, "conflict"],
    ["a newer one", 8, "conflict"],
  ] as const)("is %s (version %s), and the action is: %s", (_, version, outcome) => {
    const step = act({ action: "accept" }, asking(), { version });

    expect(step.outcome.outcome).toBe(outcome);
    if (outcome === "conflict") {
      expect(step).toMatchObject({ outcome: { state: "awaiting-agent", version: 7 }, change: null });
    }
  });

  test("does not matter to a stop", () => {
    const inUndoWindow = asking({ case: { state: "checking", undoLeftMs: 1 }, decision: { action: "accept" } });

    expect(act({ action: "stop" }, inUndoWindow, { version: 3 }).outcome).toEqual(taken("awaiting-agent", "id1"));
  });
});

describe("a booking reference", () => {
  test.each(["check:reference", "check:status"])("that is entered after %s makes the case due with it", (rule) => {
    const step = act({ action: "reference", reference: "ABC123 DEF456" }, asking({ decision: { rule } }));

    expect(step).toMatchObject({
      outcome: { outcome: "accepted", state: "awaiting-agent" },
      change: {
        references: ["ABC123", "DEF456"],
        events: [{ kind: "case.reference_entered", detail: { reference: "ABC123 DEF456" } }],
        move: { state: "awaiting-agent", due: "now" },
      },
    });
  });

  test.each<[string, ActionContext, string]>([
    ["the status was read", asking(), "desk.reference_known"],
    ["nothing was decided", asking({ decision: null }), "desk.reference_known"],
    [
      "an effect may have been carried out",
      asking({
        decision: { rule: "check:status" },
        liveEffect: { id: "e", action: "accept", state: "unknown", decisionId: "d" },
      }),
      "desk.effect_unsettled",
    ],
  ])("is refused when %s", (_, context, code) => {
    expect(act({ action: "reference", reference: "ABC123" }, context)).toMatchObject({
      outcome: { outcome: "refused", code },
      change: null,
    });
  });

  const { reference } = caseActionParameters.reference;

  test.each([
    ["abc123", "ABC123"],
    [" ABC123 ", "ABC123"],
    ["abc123, DEF456\tABC123", "ABC123 DEF456"],
    ["12345", "12345"],
    ["A".repeat(20), "A".repeat(20)],
  ])("is written %j and read as %j", (written, read) => {
    expect(reference.parse(written)).toBe(read);
  });

  test.each([
    "",
    "  ",
    "ABCD",
    "A".repeat(21),
    "ABC-123",
    "ABC123;DEF456",
    "Smith/Anna",
    Array(11).fill("ABC123").join(" "),
  ])("is not %j", (written) => {
    const parsed = reference.safeParse(written);

    expect(parsed.error?.issues[0]?.message).toBe("must be a booking reference such as ABC123");
  });
});

describe("an accept that can still be stopped", () => {
  const pending = asking({ case: { state: "checking", undoLeftMs: 1 }, decision: { action: "accept" } });

  test("is named pending to whoever acts on the case", () => {
    expect(act({ action: "note" }, pending, { note: "seen" }).outcome).toEqual(taken("accept-pending"));
    expect(act({ action: "close" }, pending).outcome).toMatchObject({
      outcome: "conflict",
      state: "accept-pending",
      message: "Case case is about to be carried out (accept-pending). Use stop first.",
    });
  });

  test("is pending no more once the time to stop it is over", () => {
    const over = asking({ case: { state: "checking", undoLeftMs: 0 }, decision: { action: "cancel" } });

    expect(act({ action: "note" }, over, { note: "seen" }).outcome).toEqual(taken("checking"));
  });
});

describe("a state that an action is not for", () => {
  test.each(caseActionNames)("refuses %s with a conflict, and changes nothing", (name) => {
    for (const state of caseStates) {
      const isPossible =
        name === "note" ||
        name === "traveller-informed" ||
        (name === "reopen" && isFinished(state)) ||
        (name === "stop" && state === "checking") ||
        ["awaiting-agent", "ask-traveller", "awaiting-traveller", "snoozed"].includes(state)
          ? name !== "reopen" || isFinished(state)
          : ["assign", "recheck", "traveller-answered"].includes(name) && !isFinished(state);
      if (isPossible) continue;
      const step = act(commands[name], asking({ case: { state }, decision: null }));

      expect(step).toMatchObject({ outcome: { outcome: "conflict", state, version: 7 }, change: null });
    }
  });
});

describe("a case at which a worker only looks again", () => {
  const forWaiting: readonly CaseActionName[] = [
    "accept",
    "cancel",
    "close",
    "resolved-elsewhere",
    "reschedule",
    "snooze",
  ];
  const looked = (decision: Changes["decision"], changes: Changes = {}) =>
    asking({ ...changes, case: { state: "checking" }, ...(decision === undefined ? {} : { decision }) });

  test.each(["review", "ask-traveller", "wait"] as const)("is taken from the worker when %s was decided", (action) => {
    for (const name of forWaiting) {
      const step = act(commands[name], looked({ action }), { version: 7 });

      expect(step.outcome.outcome).toBe("accepted");
      expect(step.change?.preemptsWorker).toBe(true);
    }
  });

  test.each([
    ["nothing was decided before", null, {}],
    ["an accept is decided", { action: "accept" }, {}],
    ["a cancel is decided", { action: "cancel" }, {}],
    ["it was to end without an effect", { action: "none" }, {}],
    ["an effect is planned", {}, { liveEffect: { ...unknownEffect, state: "planned" } }],
    ["an effect is being sent", {}, { liveEffect: { ...unknownEffect, state: "sent" } }],
  ] as readonly [string, Changes["decision"], Changes][])("is left to the worker when %s", (_, decision, changes) => {
    for (const name of forWaiting) {
      expect(act(commands[name], looked(decision, changes))).toMatchObject({
        outcome: { outcome: "conflict", state: "checking" },
        change: null,
      });
    }
  });

  test("is not taken by what is refused, nor at another version, nor by what only adds to what is known", () => {
    expect(act({ action: "close", reasonCode: "other" }, looked({}))).toMatchObject(refusal("desk.note_missing"));
    expect(act({ action: "accept" }, looked({}), { version: 6 })).toMatchObject({ outcome: { outcome: "conflict" } });
    expect(act({ action: "note" }, looked({}), { note: "seen" }).change?.preemptsWorker).toBeUndefined();
  });

  test("takes what a person found out about an unknown effect, and a worker can no longer send it again", () => {
    const step = act({ action: "confirm-effect" }, looked({}, { liveEffect: unknownEffect }));

    expect(step.outcome).toEqual(taken("accepting"));
    expect(step.change?.preemptsWorker).toBe(true);
  });
});

describe("an accept", () => {
  test("is a decision on what the one in force was made on, and wakes a worker", () => {
    const step = act({ action: "accept" }, asking(), { note: "called" });

    expect(step.outcome).toEqual(taken("checking", "id1"));
    expect(step.change).toEqual({
      decision: {
        id: "id1",
        made: expect.objectContaining({
          action: "accept",
          decidedBy: "person:ana",
          rule: "person",
          note: "called",
          proposalDigest: "p1",
          statusViewId: "view",
          versions: { policy: "1" },
          reasons: [{ code: "person-decided", text: "An agent decided to accept." }],
        }),
      },
      move: { state: "checking", due: "now", sets: { reviewQueue: null }, clears: ["failures", "last-error"] },
    });
  });

  test.each([
    ["without a proposal", { decision: { proposalDigest: null } }, "desk.no_proposal"],
    ["without flags", { decision: { flags: null } }, "desk.no_proposal"],
    ["without a decision", { decision: null }, "desk.no_proposal"],
    ["that the gateway does not offer", { decision: { flags: { ...flags, accept: known("N") } } }, "desk.flag_not_set"],
    [
      "of which nobody knows whether it is offered",
      { decision: { flags: { ...flags, accept: unknown("missing-flag") } } },
      "desk.flag_not_set",
    ],
    ["while the outcome of another effect is open", { liveEffect: unknownEffect }, "desk.effect_unsettled"],
  ] as readonly [string, Changes, string][])("%s is refused", (_, changes, code) => {
    expect(act({ action: "accept" }, asking(changes))).toMatchObject(refusal(code));
  });

  test("that is allowed for some of the booking references is accepted", () => {
    const some = asking({ decision: { flags: { ...flags, accept: unknown("differs-by-reference") } } });

    expect(act({ action: "accept" }, some).outcome).toEqual(taken("checking", "id1"));
  });
});

describe("an effect that succeeded", () => {
  const lag = 10 * minute;
  const ago = (ms: number, changes: Partial<SucceededEffect> = {}) =>
    succeeded({ finishedAt: after(-ms), finishedAgoMs: ms, ...changes });

  test.each([
    ["of this case, however long ago", [ago(100 * day)], "accept", false],
    ["of this case, for another proposal", [ago(100 * day, { proposalDigest: "p0" })], "accept", true],
    ["of this case, another action within the lag", [ago(lag - 1)], "cancel", false],
    ["of this case, another action when the lag ends", [ago(lag)], "cancel", true],
    ["of another case, within the lag", [ago(lag - 1, { caseId: "before" })], "accept", false],
    ["of another case, when the lag ends", [ago(lag, { caseId: "before" })], "accept", true],
    [
      "of another case, within the lag, with a later one for another proposal",
      [ago(lag - 2, { caseId: "before" }), ago(lag - 3, { caseId: "before", proposalDigest: "p0" })],
      "accept",
      true,
    ],
    [
      "of another case, within the lag, together with one for another proposal",
      [ago(lag - 2, { caseId: "before" }), ago(lag - 2, { caseId: "before", proposalDigest: "p0" })],
      "accept",
      false,
    ],
  ] as const)("is compared with the new action when it is %s", (_, effects, action, isTaken) => {
    const step = act(action === "cancel" ? cancel : { action }, asking({ succeeded: effects }));

    if (isTaken) expect(step.outcome).toEqual(taken("checking", "id1"));
    else expect(step).toMatchObject(refusal("desk.already_carried_out"));
  });

  test("is reported with the time from which the status is trusted, unless it is the very same", () => {
    const message = (step: ActionStep) => ("message" in step.outcome ? step.outcome.message : null);

    expect(message(act(cancel, asking({ succeeded: [ago(minute)] })))).toContain("2027-03-01T12:09:00.000Z");
    expect(message(act({ action: "accept" }, asking({ succeeded: [ago(minute)] })))).toContain(
      "Settle it with the airline",
    );
  });
});

describe("a cancel", () => {
  test.each([undefined, "", "order", "ORDER "])("confirmed with %p is refused", (confirm) => {
    const command = confirm === undefined ? ({ action: "cancel" } as const) : { ...cancel, confirm };

    expect(act(command)).toMatchObject(refusal("desk.confirmation_missing"));
  });

  test.each([
    ["500.00", false],
    ["499.99", true],
    ["0", true],
  ])("of an order worth 500.00 with the limit %s takes a second person: %s", (secondPersonAbove, isAsked) => {
    const { change } = act(cancel, asking(), { secondPersonAbove });

    expect(change?.pendingApproval !== undefined).toBe(isAsked);
    expect(change?.decision !== undefined).toBe(!isAsked);
  });

  test("that takes a second person is asked for, and the case rests in the queue that it is in", () => {
    expect(act(cancel, asking(), { secondPersonAbove: "499.99", note: "they asked for it" })).toEqual({
      outcome: { ...taken("awaiting-agent"), approvalId: "id1" },
      change: {
        pendingApproval: { id: "id1", action: "cancel", proposalDigest: "p1" },
        events: [
          {
            caseId: "case",
            kind: "approval.asked",
            detail: { approvalId: "id1", action: "cancel", note: "they asked for it" },
          },
        ],
        move: {
          state: "awaiting-agent",
          sets: { reviewQueue: "reschedule" },
          due: null,
          clears: ["failures", "last-error", "undo-window"],
        },
      },
    });
  });

  test("that takes a second person is asked for by a user, not with API_TOKEN, which is enough below the limit", () => {
    const byToken = { actor: "person:api", secondPersonAbove: "499.99" };

    expect(act(cancel, asking(), byToken)).toMatchObject(refusal("desk.user_needed"));
    expect(act(cancel, asking(), { ...byToken, secondPersonAbove: "500.00" }).outcome).toEqual(
      taken("checking", "id1"),
    );
  });

  test("that is asked for already is refused, and an accept is not", () => {
    const pendingApproval = {
      id: "asked",
      action: "cancel",
      proposalDigest: "p1",
      askedBy: "person:rui",
      note: null,
    } as const;
    const context = asking({ pendingApproval });

    expect(act(cancel, context, { secondPersonAbove: "0" })).toMatchObject(refusal("desk.approval_asked"));
    expect(act(cancel, context, { secondPersonAbove: null }).outcome).toEqual(taken("checking", "id1"));
    expect(act({ action: "accept" }, context, { secondPersonAbove: "0" }).outcome).toEqual(taken("checking", "id1"));
  });
});

describe("an approval", () => {
  const pendingApproval = {
    id: "asked",
    action: "cancel",
    proposalDigest: "p1",
    askedBy: "person:rui",
    note: "wants it",
  } as const;
  const approve = { action: "approve", approvalId } as const;
  const ended = (kind: string, note: string | null = null) => [
    { caseId: "case", kind, detail: { approvalId: "asked", action: "cancel", note } },
  ];

  test("by another person is a decision of both, with the note of the first when the second has none", () => {
    const { outcome, change } = act(approve, asking({ pendingApproval }));

    expect(outcome).toEqual(taken("checking", "id1"));
    expect(change).toMatchObject({
      endedApproval: { id: "asked", state: "given" },
      events: ended("approval.given"),
      decision: { made: { action: "cancel", decidedBy: "person:ana", note: "wants it" } },
      move: { state: "checking", due: "now" },
    });
    expect(change?.decision?.made.reasons.map(({ code }) => code)).toEqual(["person-decided", "second-person"]);
  });

  test.each([
    ["of which nothing is asked", {}, {}, "desk.approval_not_open"],
    ["of another id", { pendingApproval: { ...pendingApproval, id: "newer" } }, {}, "desk.approval_not_open"],
    ["by who asked", { pendingApproval }, { actor: "person:rui" }, "desk.second_person_needed"],
    ["with API_TOKEN", { pendingApproval }, { actor: "person:api" }, "desk.user_needed"],
    [
      "of what was asked with API_TOKEN",
      { pendingApproval: { ...pendingApproval, askedBy: "person:api" } },
      {},
      "desk.user_needed",
    ],
    ["while an outcome is open", { pendingApproval, liveEffect: unknownEffect }, {}, "desk.effect_unsettled"],
    [
      "of what was done meanwhile",
      { pendingApproval, succeeded: [succeeded({ action: "cancel" })] },
      {},
      "desk.already_carried_out",
    ],
  ] as readonly [string, Changes, Extra, string][])("%s is refused", (_, changes, extra, code) => {
    expect(act(approve, asking(changes), extra)).toMatchObject(refusal(code));
  });

  test("by somebody whose account the first has set up is marked in the timeline", () => {
    const { change } = act(approve, asking({ pendingApproval, isApproverSetUpByAsker: true }));

    expect(change?.events?.slice(0, 2)).toEqual([
      ...ended("approval.given"),
      {
        caseId: "case",
        kind: "approval.approver_set_up_by_asker",
        detail: { approvalId: "asked", action: "cancel", askedBy: "person:rui" },
      },
    ]);
  });

  test("for a proposal that is another one by now is void", () => {
    const step = act(approve, asking({ pendingApproval, decision: { proposalDigest: "p2" } }), { note: "yes" });

    expect(step).toEqual({
      outcome: expect.objectContaining({ outcome: "refused", code: "desk.approval_void" }),
      change: {
        endedApproval: { id: "asked", state: "void" },
        events: ended("approval.voided", "yes"),
        move: { state: "awaiting-agent" },
      },
    });
  });

  test("that is refused, even by who asked, leaves the case waiting", () => {
    const step = act({ action: "refuse-approval", approvalId }, asking({ pendingApproval }), { actor: "person:rui" });

    expect(step).toEqual({
      outcome: taken("awaiting-agent"),
      change: {
        endedApproval: { id: "asked", state: "refused" },
        events: ended("approval.refused"),
        move: { state: "awaiting-agent" },
      },
    });
  });
});

describe("an end without an effect", () => {
  test.each([
    [{ action: "close", reasonCode: "duplicate" }, "closed", ["person-closed", "duplicate"]],
    [{ action: "close" }, "closed", ["person-closed"]],
    [{ action: "resolved-elsewhere" }, "resolved-elsewhere", ["person-resolved-elsewhere"]],
  ] as const)("%o is a decision that nothing is done", (command, state, codes) => {
    const { outcome, change } = act(command);

    expect(outcome).toEqual(taken(state, "id1"));
    expect(change?.decision?.made).toMatchObject({ action: "none", proposalDigest: "p1" });
    expect(change?.decision?.made.reasons.map(({ code }) => code)).toEqual(codes);
    expect(change?.move).toMatchObject({ state, sets: { reviewQueue: null }, due: null });
  });

  test("for another reason takes a note", () => {
    const close = { action: "close", reasonCode: "other" } as const;

    expect(act(close)).toMatchObject(refusal("desk.note_missing"));
    expect(act(close, asking(), { note: "a reason" }).outcome).toEqual(taken("closed", "id1"));
  });

  test.each(["close", "resolved-elsewhere", "reschedule", "traveller-asked"] as const)(
    "or a wait by %s is refused while the outcome of an effect is open",
    (name) => {
      expect(act(commands[name], asking({ liveEffect: unknownEffect }))).toMatchObject(
        refusal("desk.effect_unsettled"),
      );
    },
  );
});

describe("a finished case", () => {
  const closed = (orderHasOpenCase: boolean) => asking({ case: { state: "closed" }, orderHasOpenCase });

  test("is reopened as the next case of the order", () => {
    expect(act({ action: "reopen" }, closed(false), { note: "it came back" })).toEqual({
      outcome: { outcome: "accepted", caseId: "id1", state: "received", decisionId: null },
      change: {
        nextCase: { id: "id1" },
        events: [
          { caseId: "case", kind: "case.reopened", detail: { as: "id1", note: "it came back" } },
          { caseId: "id1", kind: "case.opened", detail: { after: "case" } },
        ],
      },
    });
  });

  test("is not reopened while the order has an open case", () => {
    expect(act({ action: "reopen" }, closed(true))).toMatchObject({ outcome: { outcome: "conflict" }, change: null });
  });

  test("can be noted on, and stays as it is", () => {
    expect(act({ action: "note" }, closed(false), { note: "seen" }).change).toEqual({
      events: [{ caseId: "case", kind: "case.noted", detail: { note: "seen" } }],
      move: { state: "closed" },
    });
  });
});

describe("a snooze", () => {
  test.each([
    ["now", after(0), {}, "desk.snooze_past"],
    ["in a moment", after(1), {}, null],
    ["in 30 days", after(30 * day), {}, null],
    ["in 30 days and a moment", after(30 * day + 1), {}, "desk.snooze_too_long"],
    ["at departure", after(day), { departureAt: after(day) }, null],
    ["after departure", after(day + 1), { departureAt: after(day) }, "desk.snooze_past_departure"],
    ["when it must be decided", after(day), { firmDueBy: after(day) }, null],
    ["after that", after(day + 1), { firmDueBy: after(day) }, "desk.snooze_past_due"],
  ] as const)("that ends %s is accepted only within its limits", (_, until, current, code) => {
    const step = act({ action: "snooze", until }, asking({ case: current }));

    if (code !== null) return expect(step).toMatchObject(refusal(code));
    expect(step).toEqual({
      outcome: taken("snoozed"),
      change: {
        events: [{ caseId: "case", kind: "case.snoozed", detail: { until: until.toISOString(), note: null } }],
        move: { state: "snoozed", due: { inMs: until.getTime() - at.getTime() }, clears: [] },
      },
    });
  });

  test.each([
    ["response-target", ["due-by"]],
    ["departure", []],
  ])("ends the clock %s: %p", (dueByRule, clears) => {
    expect(act(commands.snooze, asking({ case: { dueByRule } })).change?.move?.clears).toEqual(clears);
  });
});

describe("a case that is handed to people", () => {
  test("by reschedule waits in the queue of those who rebook", () => {
    const { outcome, change } = act({ action: "reschedule" });

    expect(outcome).toEqual(taken("awaiting-agent", "id1"));
    expect(change?.decision?.made).toMatchObject({ action: "review", reviewQueue: "reschedule", question: null });
    expect(change?.move).toMatchObject({ state: "awaiting-agent", sets: { reviewQueue: "reschedule" }, due: null });
  });

  test.each([
    ["effect-outcome", "effect-outcome"],
    ["proposal-changed", null],
  ] as const)("keeps the question %s: %s", (question, stored) => {
    const asked = asking({ decision: { question } });

    for (const name of ["reschedule", "traveller-asked"] as const) {
      expect(act(commands[name], asked).change?.decision?.made.question).toBe(stored);
    }
  });

  test("without a decision is refused", () => {
    expect(act({ action: "reschedule" }, asking({ decision: null }))).toMatchObject(refusal("desk.no_decision"));
  });
});

describe("a stop", () => {
  const stop = (current: Partial<ActionContext["case"]>, changes: Changes = { decision: { action: "accept" } }) =>
    act({ action: "stop" }, asking({ ...changes, case: { state: "checking", ...current } }));

  test.each([
    ["with a moment left", { undoLeftMs: 0.5 }, true],
    ["when the time is over", { undoLeftMs: 0 }, false],
    ["after that", { undoLeftMs: -1 }, false],
    ["when it could not be stopped at all", { undoLeftMs: null }, false],
    ["after a try that failed", { failures: 1 }, true],
  ])("is possible only within the undo window: %s", (_, current, isTaken) => {
    const step = stop(current);

    if (!isTaken) return expect(step).toMatchObject({ outcome: { outcome: "conflict" }, change: null });
    expect(step.outcome).toEqual(taken("awaiting-agent", "id1"));
    expect(step.change?.decision?.made).toMatchObject({ action: "review", reviewQueue: "agent" });
  });

  test.each([
    ["nothing is decided that would be sent", { decision: { action: "review" } }],
    ["nothing is decided", { decision: null }],
    ["it is sent", { decision: { action: "accept" }, liveEffect: { ...unknownEffect, state: "sent" } }],
  ] as readonly [string, Changes][])("is too late when %s", (_, changes) => {
    expect(stop({ failures: 1 }, changes)).toMatchObject({ outcome: { outcome: "conflict" }, change: null });
  });
});

describe("who works on a case", () => {
  test("is recorded when they may act", () => {
    expect(act(commands.assign, asking({ assigneeMayAct: true }))).toEqual({
      outcome: taken("awaiting-agent"),
      change: {
        events: [{ caseId: "case", kind: "case.assigned", detail: { assignee: "person:ana", note: null } }],
        move: { state: "awaiting-agent", sets: { assignee: "person:ana" } },
      },
    });
  });

  test("is refused when they may not, and nobody is always possible", () => {
    expect(act(commands.assign)).toMatchObject(refusal("desk.assignee_unknown"));
    expect(act({ action: "assign", assignee: null }).change?.move?.sets?.assignee).toBeNull();
  });
});

test("a note without text is refused", () => {
  expect(act({ action: "note" })).toMatchObject(refusal("desk.note_missing"));
});

describe("a recheck", () => {
  test("wakes a worker and leaves a case that waits where it is", () => {
    expect(act({ action: "recheck" }).change?.move).toEqual({
      state: "awaiting-agent",
      due: "now",
      clears: ["failures"],
    });
  });

  test("clears what was tried before when a worker has the case", () => {
    expect(act({ action: "recheck" }, asking({ case: { state: "checking" } })).change?.move).toEqual({
      state: "checking",
      due: "now",
      sets: { reviewQueue: null },
      clears: ["failures", "last-error"],
    });
  });
});

describe("an effect whose outcome was unknown", () => {
  const settle = (action: "confirm-effect" | "refute-effect", effect: "accept" | "cancel") =>
    act({ action }, asking({ liveEffect: { ...unknownEffect, action: effect } }));

  test.each([
    ["accept", "accepting", "behind"],
    ["cancel", "cancelling", null],
  ] as const)("is confirmed by a person, and the case goes on with the %s", (effect, state, acceptedBy) => {
    expect(settle("confirm-effect", effect)).toMatchObject({
      outcome: taken(state),
      change: {
        settledEffect: { id: "effect", state: "succeeded", acceptedBy },
        events: [{ kind: "effect.confirmed", detail: { effectId: "effect" } }],
        move: { state, via: "checking", due: "now" },
      },
    });
  });

  test("is refuted, and the case is looked at anew", () => {
    expect(settle("refute-effect", "accept")).toMatchObject({
      outcome: taken("checking"),
      change: {
        settledEffect: { id: "effect", state: "failed", acceptedBy: null },
        events: [{ kind: "effect.refuted" }],
        move: { state: "checking", due: "now" },
      },
    });
  });

  test.each([null, { ...unknownEffect, state: "planned" }, { ...unknownEffect, state: "sent" }] as const)(
    "is not there when the live effect is %o",
    (liveEffect) => {
      for (const name of ["confirm-effect", "refute-effect"] as const) {
        expect(act(commands[name], asking({ liveEffect }))).toMatchObject(refusal("desk.no_unknown_effect"));
      }
    },
  );
});

describe("an action while a worker finds out what became of an effect", () => {
  const settling = { state: "accepting", dueAt: after(60_000) } as const;

  test.each(["confirm-effect", "refute-effect", "accept"] as const)(
    "is refused with the time of the next check: %s",
    (name) => {
      const { outcome } = act(commands[name], asking({ case: settling, liveEffect: unknownEffect }));

      expect(outcome).toMatchObject({
        outcome: "conflict",
        message: `Skedchange is still finding out whether the accept of case case was carried out. It checks the booking next at ${after(60_000).toISOString()}. If the booking does not show it, an agent is asked: answer then.`,
      });
    },
  );

  test("is refused without a time before the outcome is unknown", () => {
    const sent = { ...unknownEffect, state: "sent" } as const;
    const { outcome } = act(commands.accept, asking({ case: settling, liveEffect: sent }));

    expect(outcome).toMatchObject({
      message: "Case case is being processed (accepting). Wait until it needs action.",
    });
  });
});

describe("a contact with the traveller", () => {
  test.each([
    ["now", after(0), null],
    ["in a moment", after(1), "desk.contact_in_future"],
    ["a year ago", after(-365 * day), null],
    ["a moment before", after(-365 * day - 1), "desk.contact_too_old"],
  ])("cannot be recorded for the future: %s", (_, happenedAt, code) => {
    const step = act({ action: "traveller-informed", channel: "phone", happenedAt });

    if (code !== null) expect(step).toMatchObject(refusal(code));
    else
      expect(step.change?.contact).toEqual({ id: "id1", kind: "informed", channel: "phone", answer: null, happenedAt });
  });

  test.each(caseStates.filter(isFinished))("who was informed leaves a case that is %s as it is", (state) => {
    const { outcome, change } = act(commands["traveller-informed"], asking({ case: { state } }));

    expect(outcome).toEqual(taken(state));
    expect(change).toMatchObject({ contact: { kind: "informed" }, move: { state } });
    expect(change?.move).toEqual({ state });
  });

  test.each([
    ["traveller-informed", "inform-traveller"],
    ["traveller-answered", "inform-traveller"],
    ["traveller-asked", undefined],
  ] as const)("who knows of the change need not be informed of it: %s closes %s", (action, kind) => {
    expect(act(commands[action], asking()).change?.closesTasks).toBe(kind);
  });

  test("who was asked is waited for", () => {
    const { outcome, change } = act(commands["traveller-asked"], asking(), { note: "by phone" });

    expect(outcome).toEqual(taken("awaiting-traveller", "id2"));
    expect(change).toMatchObject({
      contact: { id: "id1", kind: "asked" },
      events: [{ kind: "traveller.asked", detail: { contactId: "id1", channel: "phone", note: "by phone" } }],
      decision: { id: "id2", made: { action: "ask-traveller", note: "by phone" } },
      move: { state: "awaiting-traveller", sets: { reviewQueue: null }, due: null },
    });
  });

  test("who was asked about an overdue case leaves it with an agent, who would not see in time that no answer came", () => {
    const { outcome, change } = act(commands["traveller-asked"], asking({ case: { isOverdue: true } }));

    expect(outcome).toEqual(taken("awaiting-agent", "id2"));
    expect(change).toMatchObject({
      contact: { kind: "asked" },
      decision: { made: { action: "ask-traveller" } },
      move: { state: "awaiting-agent", sets: { reviewQueue: "reschedule" } },
    });
  });

  test("who was asked without a decision is only recorded", () => {
    const { change } = act(commands["traveller-asked"], asking({ decision: null }));

    expect(change?.decision).toBeUndefined();
    expect(change?.move).toEqual({ state: "awaiting-agent" });
  });

  const waits = { due: "now" } as const;
  const isDecided = {
    state: "checking",
    due: "now",
    sets: { reviewQueue: null },
    clears: ["failures", "last-error"],
  } as const;

  test.each([
    ["awaiting-agent", "accepts", isDecided],
    ["ask-traveller", "accepts", isDecided],
    ["awaiting-traveller", "refuses", isDecided],
    ["snoozed", "wants-refund", isDecided],
    ["snoozed", "undecided", { state: "snoozed" }],
    ["awaiting-traveller", "undecided", { state: "awaiting-traveller", ...waits }],
    ["received", "accepts", { state: "received", ...waits }],
    ["checking", "accepts", { state: "checking", ...waits }],
    ["accepting", "accepts", { state: "accepting" }],
    ["cancelling", "wants-rerouting", { state: "cancelling" }],
  ] as const)("who answers while the case is %s: %s", (state, answer, move) => {
    const step = act({ ...commands["traveller-answered"], answer } as CaseCommand, asking({ case: { state } }));

    expect(step.outcome).toEqual(taken(move.state));
    expect(step.change).toMatchObject({ contact: { kind: "answered", answer }, move });
    expect(step.change?.move).toEqual(move);
    expect(step.change?.preemptsWorker).toBe(state === "checking" ? true : undefined);
  });
});
