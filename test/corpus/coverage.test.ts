import { describe, expect, test } from "vitest";
import { readPolicyFile, shippedPolicyNames } from "../../src/app/policy-file.ts";
import { familyNames, readExpected, readFamily } from "./corpus-files.ts";

/** What the expectations say of a subject, as text. */
interface Expected {
  readonly policy: string;
  readonly action: string;
  readonly queue: string;
  readonly reasonCodes: readonly string[];
  readonly rule: string;
}

const expectations: readonly Expected[] = familyNames().flatMap((name) => {
  const lines = readExpected(name);
  return readFamily(name).subjects.map(({ id, policy }): Expected => {
    const [, action = "", queue = "", reasons = "", rule = ""] = lines.get(id)?.split("\t") ?? [];
    return { policy, action, queue, reasonCodes: reasons === "-" ? [] : reasons.split(","), rule };
  });
});

/** Rules of the shipped policies that can decide about no subject, with the reason. */
const rulesOutOfReach: Readonly<Record<string, string>> = {
  "data-suspect": "the program's own check of impossible flights names itself first",
};

const afterAnEffect = "not reachable by rules: only after an effect was sent";

/** Reason codes of the program itself. Null: the corpus reaches it; else why it does not. */
const programReasonCodes: Readonly<Record<string, string | null>> = {
  "accept-not-offered": null,
  "accepted-but-still-open": null,
  "accepted-elsewhere": null,
  "accepted-other-flights": null,
  "already-accepted": null,
  "already-cancelled": null,
  "already-carried-out": afterAnEffect,
  "booking-failed": "no subject holds a FAILED booking beside a change that may be accepted",
  "booking-status": null,
  "cancel-not-asked": "no such policy can be loaded: a rule that cancels must ask for the cause",
  "cancel-not-offered": null,
  "cancelled-but-still-open": null,
  "change-not-shown": null,
  "contact-airline": null,
  "data-suspect": null,
  "credentials-refused": afterAnEffect,
  "effect-outcome-unknown": afterAnEffect,
  "flag-unknown": null,
  "gateway-refused": afterAnEffect,
  "gateway-unreachable": null,
  "law-not-checked": "the law is always asked before the rules are",
  "legal-hold": null,
  "mixed-results": afterAnEffect,
  "no-action-offered": null,
  "no-booking-reference": null,
  "no-rule-matched": null,
  "no-value-limit": null,
  "not-sent": afterAnEffect,
  "not-ticketed": null,
  "nothing-open": null,
  "observe-only": null,
  "order-not-in-status": null,
  "order-to-stop": null,
  "over-value-limit": null,
  "partially-accepted": null,
  "partly-flown": null,
  "person-decided": null,
  "processing-failed": null,
  "proposal-changed": null,
  "proposal-unsettled": "needs a gateway that shows another proposal at each of several reads",
  "protected-passenger": null,
  "reference-left-open": afterAnEffect,
  "references-differ": null,
  rejected: null,
  "reschedule-only": null,
  "rule-error": "needs a rule that fails while it is computed, and the shipped ones cannot",
  "status-contradicts-result": afterAnEffect,
  "status-lags-behind": null,
  "status-refused": null,
  "status-says-more": "needs a status that changes between the decision of a person and its sending",
  "traveller-answered": null,
  "traveller-declined": null,
  "unaccompanied-minor": null,
  "unknown-fact": null,
};

// While expectations are written anew they are not whole.
const describeUnlessUpdated = process.env["CORPUS"] === "update" ? describe.skip : describe;

describeUnlessUpdated("the corpus", () => {
  test("has at least 3,000 subjects, each with an expectation", () => {
    expect(expectations.length).toBeGreaterThanOrEqual(3_000);
    expect(expectations.filter(({ action }) => action === "")).toEqual([]);
  });

  test.each(shippedPolicyNames)("is decided by every rule of %s but those that are out of reach", (name) => {
    const reached = new Set(expectations.filter(({ policy }) => policy === name).map(({ rule }) => rule));
    const names = readPolicyFile(name).policy.rules.map((rule) => rule.name);

    expect(names.filter((rule) => !reached.has(rule))).toEqual(names.filter((rule) => rule in rulesOutOfReach));
  });

  test("has every action, and every queue that the program or a shipped policy names", () => {
    const actions = new Set(expectations.map(({ action }) => action));
    const queues = new Set(expectations.map(({ queue }) => queue));

    expect([...actions].sort()).toEqual([
      ...["accept", "ask-traveller", "cancel", "hold", "none", "open-case", "retry", "review"],
      ...["send-accept", "send-cancel", "unchanged", "unreadable", "wait"],
    ]);
    const named = shippedPolicyNames.flatMap((name) =>
      readPolicyFile(name).policy.rules.map((rule) => rule.reviewQueue),
    );
    for (const queue of ["agent", "reschedule", "legal", ...named]) if (queue !== null) expect(queues).toContain(queue);
  });

  test("has every reason of the program but those that are out of reach", () => {
    const reached = new Set(expectations.flatMap(({ reasonCodes }) => reasonCodes));
    const codes = Object.keys(programReasonCodes);

    expect(codes.filter((code) => !reached.has(code))).toEqual(
      codes.filter((code) => programReasonCodes[code] !== null),
    );
  });

  test("has no reason that is neither a policy's nor known here", () => {
    const byPolicies = new Set(
      shippedPolicyNames.flatMap((name) => readPolicyFile(name).policy.rules.map(({ reason }) => reason)),
    );
    const decided = expectations.filter(
      ({ action, policy }) => action !== "retry" && action !== "unreadable" && isShipped(policy),
    );
    const unknown = decided
      .flatMap(({ reasonCodes }) => reasonCodes)
      .filter((code) => !byPolicies.has(code) && !(code in programReasonCodes));

    expect([...new Set(unknown)]).toEqual([]);
  });
});

function isShipped(policy: string): boolean {
  return shippedPolicyNames.some((name) => name === policy);
}
