import { requeueAfterLearning } from "../store/members/learning.ts";
import { requeueAfterMarks } from "../store/members/waiting-cases.ts";
import type { Job } from "./jobs.ts";
import type { MemberRuntime } from "./members.ts";
import type { ProcessParts } from "./process-parts.ts";

const requeueEveryMs = 60_000;

/**
 * Makes cases due that missed a change of the marks, or the end of learning. Those of sources that are not to learn here,
 * but have not ended it, it makes due once: where another process is to learn them, they wait again.
 */
export function memberJob(parts: ProcessParts, { marksOf }: Pick<MemberRuntime, "marksOf">): Job {
  const { configuration, database, kickOrders } = parts;
  const sources = configuration.sources.map(({ id }) => id);
  let unlearning: readonly string[] = notToLearn(configuration);
  return {
    name: "cases after marks and learning",
    everyMs: requeueEveryMs,
    work: async () => {
      const inForce = new Map(sources.map((id) => [id, marksOf(id).version]));
      const afterMarks = await requeueAfterMarks(database, inForce);
      const afterLearning = await requeueAfterLearning(database.kysely, sources, unlearning);
      unlearning = [];
      if (afterMarks + afterLearning > 0) kickOrders();
    },
  };
}

function notToLearn({ settings, sources }: ProcessParts["configuration"]): readonly string[] {
  return sources.flatMap(({ id, learnOrders }) => ((learnOrders ?? settings.LEARN_ORDERS) === 0 ? [id] : []));
}
