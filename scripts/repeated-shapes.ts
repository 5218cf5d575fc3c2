const isWritten =
  "What somebody writes: each member has bounds, a default and an error of its own, and is read into the other.";
const isCoincidence = "Other things of the same names: neither is made from the other.";
const isSpelledOtherwise = "The interface document spells segments of seat maps otherwise.";
const isOfLowerLayer = "A layer that may not import the other one declares what it takes.";

/** Declarations that repeat another one, and why. None is added without a reason that holds. */
export const knownRepeats: Readonly<Record<string, string>> = {
  "cases/case-record.ts caseEvent":
    "The audit's line of the same event: times with microseconds, ids instead of texts.",
  "cases/case-update.ts CaseMove": "A change of a case: what it does not name stays as it is.",
  "cases/decision-document.ts decisionDocument": isOfLowerLayer,
  "contract/elements/passengers.ts reshopRequestPassenger": "A request must state what a response may leave out.",
  "contract/elements/segment.ts segmentDetails": isSpelledOtherwise,
  "contract/elements/segment.ts segmentValues": isSpelledOtherwise,
  "contract/operations/air-order-reshop.ts ReshopPassenger": isCoincidence,
  "contract/operations/service-list-response.ts ": isCoincidence,
  "contract/imported-order.ts importedSegmentSchema": isWritten,
  "dashboard/api/people-requests.ts addUserBody": isWritten,
  "dashboard/api/people-requests.ts editUserBody": isWritten,
  "dashboard/overview-ports.ts rangeFigures": isCoincidence,
  "gateway/supply/offer.ts Flight": isCoincidence,
  "gateway/supply/supply.ts ShoppingRequest": isCoincidence,
  "notices/ports.ts NoticeRule": isOfLowerLayer,
  "policy/backtest.ts BacktestFlip": isOfLowerLayer,
  "policy/legal/preset.ts trigger": isWritten,
  "policy/policy-schema.ts ": isWritten,
  "policy/policy-schema.ts ruleSchema": isWritten,
  "receiver/ports.ts IncomingNotification": isOfLowerLayer,
  "sender/events/outgoing-event.ts outgoingEventSchema":
    "A document for other systems: it must not change with the decision.",
  "sender/ports.ts OAuthAuthorization": isWritten,
};
