import { z } from "zod";
import { acceptDangerNames } from "../../cases/accept-dangers.ts";
import { caseActionNames } from "../../cases/case-actions.ts";
import { contactAnswers, contactChannels } from "../../cases/case-command.ts";
import { contactKinds, decisionActions, effectActions, reason, refundChecks, taskKinds } from "../../cases/decision.ts";
import { effectStates, shownStates } from "../../cases/lifecycle.ts";
import type { FlightAction } from "../../itinerary/difference.ts";
import type { SeverityName } from "../../itinerary/severity.ts";
import { caseColumns, failure } from "../case-ports.ts";
import { bodyDeletionReasons, bulkActionStateNames, gatewayOutcomes, notificationStateNames } from "../ports.ts";
import { id, instant } from "../stored.ts";

export { problemSchema as problemResponse } from "../../contract/openapi/problem-schema.ts";

/** `/openapi.json` is generated from these schemas. The tests parse every response with them, so a response has no other members. */

const bodyDeleted = z
  .strictObject({ at: instant, by: z.enum(bodyDeletionReasons) })
  .nullable()
  .meta({ description: "When and why the body was deleted; null when it is still there." });

const decimal = z.string().meta({ description: "Decimal text." });

const hexDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256, hexadecimal." });

const token = z.string().nullable().meta({ description: "The name of the API token with which somebody acted." });

const decisionMembers = {
  id,
  action: z.enum(decisionActions),
  rule: z.string().meta({ description: "The rule that decided." }),
  reasons: z.array(reason).meta({ description: "The first one decided." }),
  decidedBy: z.string().meta({ description: "`policy`, or `person:` and who." }),
  token,
  decidedAt: instant,
};

const settlement = z
  .strictObject({ action: z.enum(effectActions), carriedOut: z.boolean(), by: z.string(), token, at: instant })
  .nullable();

const decisionSummary = z
  .strictObject({
    ...decisionMembers,
    settled: settlement.meta({
      description: "What a person has said since, if it asks whether an accept or a cancel was carried out; else null.",
    }),
  })
  .meta({ id: "DecisionSummary" });

const fact = z
  .union([
    z.strictObject({ known: z.literal(true), value: z.unknown() }),
    z.strictObject({ known: z.literal(false), reason: z.string() }),
  ])
  .meta({ id: "Fact" });
const facts = z.record(z.string(), fact).meta({ id: "Facts", description: "What changed, by the name of the fact." });

const flags = z
  .strictObject({ accept: fact, cancel: fact, reSchedule: fact })
  .meta({ id: "Flags", description: "AmendmentsActions of the reservation status: Y, N or unknown." });

const localPoint = z
  .looseObject({
    airport: z.string().nullable(),
    date: z.string().nullable().meta({ description: "Local, yyyy-mm-dd." }),
    time: z.string().nullable().meta({ description: "Local, hh:mm." }),
    terminal: z.string().nullable(),
  })
  .meta({ id: "LocalPoint" });

const segment = z
  .looseObject({
    segmentKey: z.string(),
    departure: localPoint,
    arrival: localPoint,
    marketingCarrier: z.string().nullable(),
    marketingFlightNumber: z.string().nullable(),
    operatingCarrier: z.string().nullable(),
    aircraftCode: z.string().nullable(),
    cabinType: z.string().nullable(),
    rbd: z.string().nullable(),
  })
  .meta({ id: "Segment" });

const itinerary = z
  .looseObject({
    segments: z.array(segment),
    journeys: z.array(
      z.looseObject({
        origin: z.string().nullable(),
        destination: z.string().nullable(),
        segments: z.array(z.int()).meta({ description: "Positions in `segments`." }),
      }),
    ),
  })
  .meta({ id: "Itinerary", description: "Flights in order, local times as printed." });

const itineraries = z
  .strictObject({
    booked: itinerary.nullable(),
    accepted: itinerary.nullable(),
    current: itinerary
      .optional()
      .meta({ description: "What the status listed; decisions of earlier versions lack it." }),
    proposed: itinerary.nullable(),
  })
  .meta({ id: "Itineraries" });

const localTime = z
  .string()
  .nullable()
  .meta({ description: "Local, as printed: yyyy-mm-ddThh:mm; null when it is not known or the flight is gone." });

const changedFlight = z
  .strictObject({
    flight: z.string().meta({ description: "As booked; as proposed when it was added." }),
    bookedDeparture: localTime,
    proposedDeparture: localTime,
    bookedArrival: localTime,
    proposedArrival: localTime,
  })
  .meta({ id: "ChangedFlight" });

const severityNames = ["none", "improvement", "minor", "major", "critical"] as const satisfies readonly SeverityName[];

const flightActionNames = [
  "unchanged",
  "amended",
  "retimed",
  "replaced",
  "replaced-by-several",
  "removed",
  "added",
] as const satisfies readonly FlightAction[];

const shift = z
  .strictObject({
    minutes: fact.meta({ description: "Between instants; positive is later." }),
    wallClockMinutes: fact.meta({ description: "Between the printed local times." }),
  })
  .meta({ id: "Shift", description: "How far a time moves." });

const markedFlight = z
  .strictObject({
    flight: segment,
    changed: z.array(z.string()).meta({ description: "Members that differ, such as `departure.time`." }),
  })
  .meta({ id: "MarkedFlight" });

const difference = z
  .strictObject({
    journeys: z.array(
      z.strictObject({
        origin: z.string().nullable(),
        destination: z.string().nullable(),
        isChanged: z.boolean(),
        departureShift: shift,
        arrivalShift: shift,
        flights: z.array(
          z.strictObject({
            action: z.enum(flightActionNames).meta({ description: "What became of the flights in `before`." }),
            before: z.array(markedFlight),
            after: z.array(markedFlight),
            departureShift: shift,
            arrivalShift: shift,
          }),
        ),
      }),
    ),
  })
  .meta({ id: "ItineraryDifference", description: "Booked and proposed flights beside each other." });

const timedPoint = z
  .strictObject({
    airport: z.string().nullable(),
    local: localTime,
    readings: z.string().nullable().meta({
      description: "What the time may be if it contradicts the airport's clock, such as `11:35 or 12:35`.",
    }),
    at: instant.nullable(),
  })
  .meta({ id: "TimedPoint", description: "`at` is null when the local time is not one instant." });

const timedFlights = z
  .strictObject({
    flights: z.array(z.strictObject({ flight: z.string(), departure: timedPoint, arrival: timedPoint })),
    connections: z
      .array(
        z.strictObject({
          airport: z.string().nullable(),
          nextAirport: z.string().nullable(),
          minutes: z.int().nullable(),
          minimumMinutes: z.int().nullable().meta({ description: "That the decision was made with." }),
          state: z.enum(["fine", "tight", "broken", "stopover", "unknown", "no-flight"]).meta({
            description: "`no-flight` when nothing flies from `airport` to `nextAirport`: a gap, and no connection.",
          }),
        }),
      )
      .meta({ description: "Between each flight and the next." }),
  })
  .meta({ id: "TimedFlights" });

const legal = z
  .looseObject({
    presets: z
      .array(z.looseObject({ id: z.string(), applies: z.union([z.boolean(), z.literal("unknown")]) }))
      .optional()
      .meta({ description: "The laws that were looked at, and whether they cover the trip." }),
    journeys: z.array(z.string()).optional().meta({ description: "What they were asked about: LIS-FRA." }),
    switchedOff: z.array(z.string()).optional().meta({ description: "Laws that cover the trip and are off." }),
    silent: z
      .array(z.looseObject({ preset: z.string(), change: z.string() }))
      .optional()
      .meta({ description: "Laws that cover the trip and say nothing of such a change: leaves 8 h earlier." }),
    verdicts: z.array(
      z.looseObject({
        preset: z.string(),
        trigger: z.string(),
        title: z.string(),
        right: z.string(),
        verdict: z.enum(["entitled", "not-entitled", "cannot-tell"]),
        journey: z.string().nullable().meta({ description: "As its booked airports: LIS-FRA." }),
        unknownFact: z.string().nullable().meta({ description: "With `cannot-tell`, the fact that would tell." }),
        because: z.string(),
        paragraph: z.string(),
        citation: z.string(),
        note: z.string().nullable(),
        amount: z.looseObject({ value: z.string(), currency: z.string() }).nullable(),
        clocks: z.array(z.looseObject({ name: z.string(), dueAt: instant.nullable(), rule: z.string() })),
      }),
    ),
    hold: z
      .looseObject({ held: z.boolean(), reasons: z.array(z.string()) })
      .meta({ description: "Whether accepting by itself could give up a right, and why." }),
    warnings: z.array(z.string()),
  })
  .meta({ id: "LegalAssessment", description: "Engineering research, no legal advice." });

const clockInForce = z.strictObject({
  at: instant,
  rule: z.string().meta({ description: "Which clock it is." }),
  overdue: z.boolean(),
});

const caseMembers = {
  ...caseColumns,
  dueBy: clockInForce.nullable().meta({ description: "Deadline for the decision: the earliest of its clocks." }),
  overdue: z.boolean(),
  passengerCount: z.int().nullable().meta({ description: "Infants included; null if it is not known." }),
  value: z
    .strictObject({ amount: decimal, currency: z.string() })
    .nullable()
    .meta({ description: "The price of the order; null if it is not known." }),
  decision: decisionSummary.nullable().meta({ description: "The decision in force." }),
  severity: z
    .enum(severityNames)
    .nullable()
    .meta({ description: "How much the change means for those who travel; null when no facts are known." }),
  severityFacts: z.array(z.string()).meta({ description: "Names of the facts that made it so." }),
  route: z.string().nullable().meta({
    description:
      "The airports of the journeys that change, such as LIS–FRA–LIS; null when no flight is known to change.",
  }),
  times: z
    .array(changedFlight)
    .nullable()
    .meta({ description: "Flights that change, at most 20; null when flights could not be compared." }),
  departure: z
    .strictObject({ airport: z.string(), local: z.string() })
    .nullable()
    .meta({ description: "`departureAt` by the clock of its airport, as printed; null if it is not known." }),
};

export const caseItem = z.strictObject(caseMembers).meta({ id: "CaseItem" });

const caseDetailMembers = {
  flags: flags.nullable(),
  facts: facts.nullable(),
  itineraries,
  difference: difference.nullable().meta({ description: "Null as long as there is nothing to compare." }),
  journeyTimes: z
    .array(z.strictObject({ booked: timedFlights, proposed: timedFlights }))
    .nullable()
    .meta({ description: "The journeys of `difference` as instants, with their connections." }),
  notifications: z.array(
    z.strictObject({
      id,
      receivedAt: instant,
      receipts: z.int(),
      digest: hexDigest,
      state: z.enum(notificationStateNames),
      bodyDeleted,
    }),
  ),
  decisions: z.array(
    z.strictObject({
      ...decisionMembers,
      reviewQueue: z.string().nullable(),
      note: z.string().nullable(),
      priority: z.int().min(0).max(9).nullable().meta({ description: "0 is the most urgent." }),
      legal: legal.nullable().meta({ description: "What the law says of the change; null when it was not asked." }),
      proposalDigest: z.string().nullable(),
      flags: flags.nullable(),
      facts: facts.nullable(),
      itineraries: itineraries.nullable(),
      trace: z.unknown().meta({ description: "The rules that were tried, in order, and what each came to." }),
      evaluatedAt: instant.nullable(),
      versions: z.record(z.string(), z.string()).meta({ description: "What it was computed with." }),
      supersededAt: instant.nullable(),
      supersededBy: id.nullable(),
    }),
  ),
  effects: z.array(
    z.strictObject({
      id,
      decisionId: id,
      action: z.enum(effectActions),
      gdsBookingReferences: z.array(z.string()),
      proposalDigest: z.string(),
      state: z.enum(effectStates),
      plannedAt: instant,
      sentAt: instant.nullable(),
      finishedAt: instant.nullable(),
      settleReads: z.int().meta({ description: "Status reads made to settle an unknown outcome." }),
      results: z.array(z.unknown()).nullable().meta({ description: "The gateway's results, per reference." }),
      error: failure.nullable(),
      settled: settlement.meta({ description: "What a person has said of its unknown outcome; null if nobody has." }),
      refund: z
        .strictObject({
          expected: z
            .looseObject({ amount: z.string(), currency: z.string(), basis: z.string() })
            .nullable()
            .meta({ description: "What it should come to; null when that cannot be told." }),
          answered: z
            .string()
            .nullable()
            .meta({ description: "Over all references, in a currency that is not stated." }),
          check: z.enum(refundChecks).nullable(),
        })
        .nullable()
        .meta({ description: "Null unless it is a cancel. Amounts are decimal text." }),
    }),
  ),
  timeline: z.array(
    z.strictObject({
      id: z.int(),
      at: instant,
      kind: z.string(),
      actor: z.string(),
      token,
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
};

export const caseTask = z
  .strictObject({
    id,
    caseId: id,
    orderId: z.string(),
    source: z.string(),
    kind: z.enum(taskKinds),
    reasons: z.array(reason),
    openedAt: instant,
    assignee: z.string().nullable().meta({ description: "`person:` and who." }),
    gdsBookingReferences: z.array(z.string()),
    flights: z.array(z.string()).meta({
      description:
        "Booked flights that the change touched, as `LH1167/2027-03-14`; none for cases of earlier versions.",
    }),
    dueBy: clockInForce.nullable().meta({
      description: "By when somebody must have done it; null when no clock ran. A closed one is never overdue.",
    }),
    closedAt: instant.nullable(),
    closedBy: z.string().nullable().meta({ description: "`person:` and who." }),
    closedToken: token,
    note: z.string().nullable(),
  })
  .meta({ id: "CaseTask", description: "Work that is left when a case is done." });

export const caseDetail = z
  .strictObject({
    ...caseMembers,
    ...caseDetailMembers,
    approval: z
      .strictObject({
        id,
        action: z.enum(effectActions),
        askedBy: z.string(),
        askedAt: instant,
        note: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "What one person has asked for and another must agree to." }),
    snoozableUntil: instant.meta({ description: "The latest time until which it can be snoozed." }),
    travellerContacts: z
      .array(
        z
          .strictObject({
            id,
            caseId: id,
            kind: z.enum(contactKinds),
            channel: z.enum(contactChannels),
            answer: z.enum(contactAnswers).nullable(),
            happenedAt: instant,
            recordedAt: instant,
            recordedBy: z.string(),
            note: z.string().nullable(),
            proposalDigest: z.string().nullable().meta({ description: "The proposal that it was about." }),
          })
          .meta({ id: "TravellerContact" }),
      )
      .meta({ description: "What travellers of the order were told and said, oldest first." }),
    tasks: z.array(caseTask),
    reopenedFrom: id.nullable().meta({ description: "The finished case that a person opened again." }),
    cancelNeedsApproval: z.boolean().meta({
      description:
        "Whether a second person must agree to a cancel: the order is worth too much, or its worth is not known.",
    }),
    possibleActions: z
      .array(z.enum(caseActionNames))
      .meta({ description: "Actions that are possible now, regardless of the role." }),
  })
  .meta({ id: "CaseDetail" });

const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Give it as `cursor` for the next page; null on the last." });

export const caseList = z.strictObject({ items: z.array(caseItem), nextCursor }).meta({ id: "CaseList" });

export const caseSearchPage = z
  .strictObject({
    items: z.array(caseItem),
    nextCursor,
    total: z
      .strictObject({
        count: z.int().min(0),
        isCapped: z.boolean().meta({ description: "Whether there are more: counting ends at 10,000." }),
      })
      .nullable()
      .meta({ description: "How many cases there are; null on pages after the first." }),
  })
  .meta({ id: "CaseSearchPage" });

const notificationMembers = {
  id,
  source: z.string(),
  receivedAt: instant,
  receipts: z.int().meta({ description: "How often these bytes were received." }),
  lastReceiptAt: instant,
  state: z.enum(notificationStateNames),
  problem: z
    .strictObject({
      code: z.string(),
      path: z.string().meta({ description: "JSON Pointer into the body." }),
      message: z.string(),
    })
    .nullable()
    .meta({ description: "Why it is quarantined." }),
  orders: z
    .strictObject({ ids: z.array(z.string()), count: z.int() })
    .meta({ description: "Orders that an unusable body names, as far as it can be read: the first 10, and how many." }),
  digest: hexDigest,
  bodyBytes: z.int(),
  bodyDeleted,
  contentType: z.string().nullable(),
  discarded: z
    .strictObject({ at: instant, by: z.string(), note: z.string().nullable() })
    .nullable()
    .meta({ description: "When and by whom it was taken off the list of the quarantine, and why." }),
};

export const notificationItem = z.strictObject(notificationMembers).meta({ id: "NotificationItem" });

export const notificationDetail = z
  .strictObject({
    ...notificationMembers,
    cases: z.array(z.strictObject({ id, orderId: z.string(), state: z.enum(shownStates), joinedAt: instant })),
  })
  .meta({ id: "NotificationDetail" });

export const notificationList = z
  .strictObject({ items: z.array(notificationItem), nextCursor })
  .meta({ id: "NotificationList" });

export const callList = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          id,
          operation: z.enum(["AirReservationStatus", "AirOrderInvoluntaryAccept", "AirOrderInvoluntaryCancel"]),
          at: instant,
          purpose: z
            .enum(["decide", "before-effect", "after-effect", "settle-unknown"])
            .nullable()
            .meta({ description: "Why the status was read; null for an effect." }),
          action: z.enum(effectActions).nullable().meta({ description: "Null for a reading of the status." }),
          state: z.enum(["sent", "succeeded", "failed", "unknown"]).nullable().meta({ description: "Of the effect." }),
          bodyBytes: z.int().nullable().meta({ description: "Length of the stored response; null when none came." }),
          bodyDeleted,
        })
        .meta({ id: "CaseCall" }),
    ),
  })
  .meta({ id: "CallList", description: "Calls of the gateway for one case, newest first, at most 200." });

const ticket = z.strictObject({
  number: z.string(),
  type: z.string().nullable(),
  gdsBookingReference: z.string().nullable(),
  status: z.string().nullable().meta({ description: "Of the booking that it was issued for, such as TICKETED." }),
});

export const travellersResponse = z
  .strictObject({
    statedBy: z
      .strictObject({ kind: z.enum(["status", "notification"]), id, at: instant })
      .nullable()
      .meta({ description: "What was read; null when nothing that names this order has been received." }),
    travellers: z.array(
      z.strictObject({
        name: z.string().nullable(),
        type: z.string().nullable().meta({ description: "ADT, CHD, INF or as sent." }),
        birthDate: z.string().nullable(),
        tickets: z.array(ticket),
        requests: z.array(z.string()).meta({ description: "Special service requests, as sent." }),
        frequentFlyer: z.array(z.strictObject({ airline: z.string().nullable(), number: z.string() })),
      }),
    ),
    emails: z.array(z.string()).meta({ description: "Of the order; the gateway does not say whose." }),
    telephones: z.array(z.string()),
    otherTickets: z.array(ticket).meta({ description: "Documents that name no listed traveller." }),
    otherOrderIds: z
      .array(z.string())
      .meta({ description: "Orders of the same notification, whose travellers cannot be told from these." }),
  })
  .meta({ id: "Travellers" });

export const quarantinedCodes = z
  .strictObject({ items: z.array(z.strictObject({ code: z.string(), count: z.int() })) })
  .meta({ id: "QuarantinedCodes" });

export const discardedResponse = z
  .strictObject({ ids: z.array(id).meta({ description: "Those that were in quarantine and are discarded now." }) })
  .meta({ id: "NotificationsDiscarded" });

export const reprocessResponse = z
  .strictObject({
    state: z.literal("released"),
    cases: z.array(z.strictObject({ id, orderId: z.string() })).meta({ description: "The case of each order." }),
  })
  .meta({ id: "NotificationReleased" });

export const caseChangeEvent = z
  .strictObject({
    caseIds: z.array(id).meta({
      description: "Cases that changed; empty when there are too many to name, or some may have been missed.",
    }),
  })
  .meta({ id: "CaseChangeEvent", description: "Data of the event `cases`." });

const unattended = z.strictObject({ count: z.int(), notificationIds: z.array(id) });

export const reconciliationResponse = z
  .strictObject({
    ok: z.boolean().meta({ description: "Whether both counts are zero." }),
    checkedAt: instant,
    examined: z.int(),
    pending: z.int().meta({ description: "Of these the cases are about to be opened or woken." }),
    withoutCase: unattended.meta({ description: "They have no case, or have been pending for more than 10 s." }),
    withoutProgress: unattended,
    damage: z.array(
      z
        .strictObject({
          kind: z.string().meta({ description: "What is wrong; docs/reconciliation.md lists the kinds." }),
          needs: z.enum(["repair", "person"]).meta({ description: "`repair`: `skedchange reconcile` mends it." }),
          text: z.string(),
          source: z.string(),
          orderId: z.string().nullable(),
          caseId: id.nullable(),
          effectId: id.nullable(),
          notificationId: id.nullable(),
          since: instant.nullable(),
        })
        .meta({ id: "Damage" }),
    ),
  })
  .meta({
    id: "Reconciliation",
    description:
      "Acknowledged notifications that nobody works on and nobody can see: both counts must be zero. And what else is wrong with the tables: of each kind at most 100.",
  });

export const actionResponse = z
  .strictObject({
    caseId: id.meta({ description: "The case that goes on: after `reopen`, the new one." }),
    state: z.enum(shownStates),
    decisionId: id.nullable(),
    approval: z
      .strictObject({ id, state: z.literal("asked") })
      .optional()
      .meta({ description: "Nothing is sent until a second person approves this." }),
  })
  .meta({ id: "ActionAccepted" });

export const taskList = z.strictObject({ items: z.array(caseTask), nextCursor }).meta({ id: "TaskList" });

export const tasksChanged = z
  .strictObject({
    changed: z.array(id),
    closedBefore: z.array(id).meta({ description: "Those that stay as they are." }),
    unknown: z.array(id),
  })
  .meta({ id: "TasksChanged", description: "The ids that were asked for, by what became of them." });

export const taskClosed = z.strictObject({ id, state: z.literal("closed") }).meta({ id: "TaskClosed" });

export const bulkPreview = z
  .strictObject({
    items: z.array(
      z.strictObject({
        caseId: id,
        orderId: z.string(),
        version: z.int().meta({ description: "To be given as `versions` when it is done." }),
        possible: z.boolean(),
        code: z.string().nullable(),
        message: z.string().nullable(),
        dangers: z.array(z.enum(acceptDangerNames)).meta({
          description: "What speaks against accepting it unchecked. Empty for any other action. Nothing leaves it out.",
        }),
      }),
    ),
    count: z.int(),
  })
  .meta({ id: "BulkPreview", description: "The expected outcome for each case. Ids without a case are left out." });

export const bulkStarted = z.strictObject({ id }).meta({ id: "BulkStarted" });

export const bulkStopped = z.strictObject({ id, state: z.literal("stopped") }).meta({ id: "BulkStopped" });

const bulkActionMembers = {
  id,
  command: z.looseObject({ action: z.string() }).meta({ description: "As it was given." }),
  askedBy: z.string().meta({ description: "`person:` and who." }),
  token,
  askedAt: instant,
  state: z.enum(bulkActionStateNames),
  finishedAt: instant.nullable(),
  counts: z
    .strictObject({
      total: z.int(),
      waiting: z.int().meta({ description: "Not processed yet; not processed at all after a stop." }),
      accepted: z.int(),
      notFound: z.int(),
      conflict: z.int().meta({ description: "They had changed since the dry run and were skipped." }),
      refused: z.int(),
    })
    .meta({ id: "BulkActionCounts", description: "The number of cases by outcome." }),
};

export const bulkActionList = z
  .strictObject({
    items: z.array(z.strictObject(bulkActionMembers).meta({ id: "BulkActionItem" })),
    nextCursor,
  })
  .meta({ id: "BulkActionList" });

export const bulkAction = z
  .strictObject({
    ...bulkActionMembers,
    rows: z.array(
      z.strictObject({
        caseId: id,
        orderId: z.string().nullable(),
        version: z.int(),
        outcome: z
          .enum(["accepted", "not-found", "conflict", "refused"])
          .nullable()
          .meta({ description: "Null until it is processed." }),
        code: z.string().nullable(),
        message: z.string().nullable(),
        doneAt: instant.nullable(),
        gateway: z
          .strictObject({
            outcome: z.enum(gatewayOutcomes).meta({
              description: "`not-sent`: the booking was decided on in another way before anything was sent.",
            }),
            message: z.string().nullable().meta({ description: "Why it failed, is unknown or was not sent." }),
            refund: z
              .strictObject({
                expected: z.looseObject({ amount: decimal, currency: z.string() }).nullable(),
                stated: decimal.nullable().meta({ description: "By the gateway, which states no currency." }),
              })
              .nullable()
              .meta({ description: "Of a cancel that succeeded." }),
          })
          .nullable()
          .meta({ description: "What came of an accept or a cancel; null for other actions and before its turn." }),
      }),
    ),
    gatewayCounts: z
      .strictObject({
        waiting: z.int(),
        sent: z.int(),
        succeeded: z.int(),
        failed: z.int(),
        unknown: z.int(),
        notSent: z.int(),
      })
      .nullable()
      .meta({ description: "The number of cases by outcome at the gateway; null when nothing goes there." }),
    refunds: z
      .array(
        z.strictObject({
          currency: z.string().nullable().meta({ description: "Of the price; null where that is unknown." }),
          orders: z.int(),
          unstated: z.int().meta({ description: "Of these orders, those for which the gateway stated no amount." }),
          stated: decimal.nullable().meta({ description: "The sum of the stated amounts; null without a currency." }),
          expected: decimal.nullable(),
        }),
      )
      .meta({ description: "What cancels that succeeded refund, by currency." }),
  })
  .meta({ id: "BulkAction" });
