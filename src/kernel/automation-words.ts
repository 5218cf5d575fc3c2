import { describeActor } from "./actor.ts";

/** @param source null: all of them together */
export function nameAutomation(source: string | null): string {
  return source === null ? "Automation" : `Automation of source ${source}`;
}

/** @param stoppedBy `worker` if bad outcomes or the limit of an hour stopped it */
export function describeStopper(stoppedBy: string): string {
  return stoppedBy === "worker" ? "Skedchange itself" : describeActor(stoppedBy);
}
