import { requeueAfterLearning } from "../store/members/learning.ts";
import { requeueAfterMarks } from "../store/members/waiting-cases.ts";
import type { MemberRuntime } from "./members.ts";
import type { ProcessParts } from "./process-parts.ts";
import { repeatJob } from "./repeat-job.ts";

const requeueEveryMs = 60_000;

/** Makes cases due that missed a change of the marks, or the end of learning. */
export function runMemberJobs(
  parts: ProcessParts,
  { marksOf, learningOf }: Pick<MemberRuntime, "marksOf" | "learningOf">,
): void {
  const { configuration, database, kickOrders } = parts;
  const sources = configuration.sources.map(({ id }) => id);
  repeatJob(
    {
      name: "cases after marks and learning",
      everyMs: requeueEveryMs,
      work: async () => {
        const inForce = new Map(sources.map((id) => [id, marksOf(id).version]));
        const learned = sources.filter((id) => learningOf(id) === null);
        const requeued = await requeueAfterMarks(database, inForce);
        if (requeued + (await requeueAfterLearning(database.kysely, learned)) > 0) kickOrders();
        return false;
      },
    },
    parts,
  );
}
