import { createContext, Script } from "node:vm";

const context = createContext({ run: null });
const script = new Script("run()");

/**
 * Runs something that must not hang, and cuts it off when it does: a timer of the test could not, since code that computes
 * without end lets no timer run.
 *
 * @throws Error with code `ERR_SCRIPT_EXECUTION_TIMEOUT` when it takes longer.
 */
export function withinTime(timeout: number, run: () => void): void {
  context["run"] = run;
  script.runInContext(context, { timeout });
}
