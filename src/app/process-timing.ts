import { type CaseTiming, defaultTiming } from "../cases/timing.ts";
import type { CircuitOptions } from "../client/circuit.ts";
import { defaultCircuit } from "../client/client-options.ts";
import { defaultNoticeSettings, type NoticeSettings } from "../notices/send-notices.ts";
import { defaultQueueTiming, type QueueTiming } from "../queue/bullmq-backend.ts";
import { defaultSenderSettings, type SenderSettings } from "../sender/sender.ts";

/** Only code can change these waits, not settings. */
export interface ProcessTiming {
  readonly worker: CaseTiming;
  readonly sender: SenderSettings;
  readonly notices: NoticeSettings;
  readonly queue: QueueTiming;
  readonly circuit: CircuitOptions;
}

export const defaultProcessTiming: ProcessTiming = {
  worker: defaultTiming,
  sender: defaultSenderSettings,
  notices: defaultNoticeSettings,
  queue: defaultQueueTiming,
  circuit: defaultCircuit,
};
