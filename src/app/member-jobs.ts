import { requeueAfterLearning } from "../store/members/learning.ts";
import { requeueAfterMarks } from "../store/members/waiting-cases.ts";
import type { Job } from "./jobs.ts";
import type { MemberRuntime } from "./members.ts";
import type { ProcessParts } from "./process-parts.ts";

const requeueEveryMs = 60_000;

/**
 * Makes cases due that missed a change of the marks, or the end of learning. Learning also ends for a source from which
 * this process is not to learn: its cases are made due once, and wait again if another process still learns from it.
 */
export function requeueMembersJob(
  { configuration, database, kickOrders }: ProcessParts,
  { marksOf, sourcesWithoutLearning }: Pick<MemberRuntime, "marksOf" | "sourcesWithoutLearning">,
): Job {
  const sources = configuration.sources.map(({ id }) => id);
  let withoutLearning = sourcesWithoutLearning;
  return {
    name: "cases after marks and learning",
    everyMs: requeueEveryMs,
    work: async () => {
      const inForce = new Map(sources.map((id) => [id, marksOf(id).version]));
      const afterMarks = await requeueAfterMarks(database, inForce);
      const afterLearning = await requeueAfterLearning(database.connection, sources, withoutLearning);
      withoutLearning = [];
      if (afterMarks + afterLearning > 0) kickOrders();
    },
  };
}
