import { type CaseTiming, defaultTiming } from "../cases/timing.ts";
import type { CircuitOptions } from "../client/circuit.ts";
import { defaultCircuit } from "../client/client-options.ts";
import { defaultQueueTiming, type QueueTiming } from "../queue/bullmq-backend.ts";
import { defaultSenderSettings, type SenderSettings } from "../sender/sender.ts";

/** Every wait of a process that is built in and not configured. No setting reaches it: only who starts a server in code can. */
export interface ProcessTiming {
  readonly worker: CaseTiming;
  readonly sender: SenderSettings;
  readonly queue: QueueTiming;
  /** When a gateway that fails is left alone, and for how long. */
  readonly circuit: CircuitOptions;
}

export const defaultProcessTiming: ProcessTiming = {
  worker: defaultTiming,
  sender: defaultSenderSettings,
  queue: defaultQueueTiming,
  circuit: defaultCircuit,
};
