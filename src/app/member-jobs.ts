import { addCounts } from "../store/members/observed-members.ts";
import { requeueAfterMarks } from "../store/members/waiting-cases.ts";
import type { MemberRuntime } from "./members.ts";
import type { ProcessParts } from "./process-parts.ts";
import { repeatJob } from "./repeat-job.ts";

/** Short enough that what a page shows of a path and of its values seldom differs. */
const countsEveryMs = 5_000;
const requeueEveryMs = 60_000;

/** Writes what was counted meanwhile, and makes cases due that missed a change of the marks. */
export function runMemberJobs(parts: ProcessParts, { marksOf }: Pick<MemberRuntime, "marksOf">): void {
  const { configuration, database, recorder, kickOrders } = parts;
  const writeCounts = () => addCounts(database.kysely, recorder.takeCounts());
  repeatJob(
    {
      name: "counts of members",
      everyMs: countsEveryMs,
      work: async () => {
        await writeCounts();
        return false;
      },
      afterwards: writeCounts,
    },
    parts,
  );
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
