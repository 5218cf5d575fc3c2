import type { Change } from "../../src/cases/step.ts";
import type { CaseStore, SaveResult } from "../../src/worker/ports.ts";

/** A store at whose saving of changes of one kind something else happens: `around` saves them, or does not. */
export function aroundSaving(
  store: CaseStore,
  kind: Change["kind"],
  around: (save: () => Promise<SaveResult>) => Promise<SaveResult>,
): CaseStore {
  return {
    ...store,
    save: (lease, work, changes, then) => {
      const save = () => store.save(lease, work, changes, then);
      return changes.some((change) => change.kind === kind) ? around(save) : save();
    },
  };
}
