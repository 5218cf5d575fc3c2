import { requeueAfterMarks } from "../store/members/waiting-cases.ts";
import type { MemberRuntime } from "./members.ts";
import type { ProcessParts } from "./process-parts.ts";
import { repeatJob } from "./repeat-job.ts";

const requeueEveryMs = 60_000;

/** Makes cases due that missed a change of the marks. */
export function runMemberJobs(parts: ProcessParts, { marksOf }: Pick<MemberRuntime, "marksOf">): void {
  const { configuration, database, kickOrders } = parts;
  repeatJob(
    {
      name: "cases after marks",
      everyMs: requeueEveryMs,
      work: async () => {
        const inForce = new Map(configuration.sources.map(({ id }) => [id, marksOf(id).version]));
        if ((await requeueAfterMarks(database, inForce)) > 0) kickOrders();
        return false;
      },
    },
    parts,
  );
}
