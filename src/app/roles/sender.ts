import { systemClock } from "../../kernel/clock.ts";
import { caseChannel } from "../../store/cases/case-listener.ts";
import { closeTasksDoneByEvents } from "../../store/cases/tasks.ts";
import { deliveriesDueChannel, eventsDueChannel } from "../../store/database/due-listener.ts";
import { createDeliveryRetention } from "../../store/deliveries/delivery-retention.ts";
import { eventTables, notificationTables } from "../../store/deliveries/delivery-tables.ts";
import { createEventResendStore, createResendStore } from "../../store/deliveries/resends.ts";
import { serveGatewaySide } from "../gateway-side.ts";
import { type Job, startJobs } from "../jobs.ts";
import { noticeJobs } from "../notice-runtime.ts";
import type { ProcessParts } from "../process-parts.ts";
import { runSender } from "../sender-runtime.ts";

const resendBatch = 100;
const resendEveryMs = 1_000;
const tasksDoneEveryMs = 2_000;

/** Rows per transaction; few, so that deliveries do not wait. */
const retentionBatch = 500;
const retentionEveryMs = 3_600_000;
const dayMs = 24 * 3_600_000;

export async function startSender(parts: ProcessParts): Promise<void> {
  const { configuration, sweeps } = parts;
  const { GATEWAY_CONTROL_TOKEN: controlToken } = configuration.settings;
  const isServed = configuration.roles.includes("gateway") || controlToken === undefined;
  if (!isServed) await serveGatewaySide(parts, controlToken, () => null);
  const eventWork = runSender("event-lanes", parts.eventSender(), parts);
  // An event is written with the change of a case that it tells of.
  sweeps.add([caseChannel, eventsDueChannel], "sending of events", eventWork);
  sweeps.add([deliveriesDueChannel], "sending of notifications", runSender("lanes", parts.sender(), parts));
  const notices = noticeJobs({ ...parts, settings: parts.timing.notices }, parts.notices());
  startJobs([...deliveryJobs(parts), ...notices], parts);
}

function deliveryJobs({ configuration, database, logger }: ProcessParts): readonly Job[] {
  const retentionDays = configuration.settings.DELIVERY_RETENTION_DAYS;
  const sent = [
    {
      what: "delivery",
      resends: createResendStore({ database, clock: systemClock }),
      retention: createDeliveryRetention(database, notificationTables),
    },
    {
      what: "event",
      resends: createEventResendStore({ database, clock: systemClock }),
      retention: createDeliveryRetention(database, eventTables),
    },
  ];
  const tasksDoneByEvents: Job = {
    name: "tasks done by events",
    everyMs: tasksDoneEveryMs,
    work: () => closeTasksDoneByEvents(database, systemClock),
  };
  const jobs = sent.flatMap(({ what, resends, retention }) => [
    { name: `${what} replays`, everyMs: resendEveryMs, work: () => resends.advanceResend(resendBatch) },
    {
      name: `${what} retention`,
      everyMs: retentionEveryMs,
      work: async () => {
        const before = new Date(systemClock.now().getTime() - retentionDays * dayMs);
        const deleted = await retention.deleteEnded(before, retentionBatch);
        if (deleted > 0) logger.info({ what, deleted, before }, "deliveries.deleted");
        return deleted > 0;
      },
    },
  ]);
  return [tasksDoneByEvents, ...jobs];
}
