import type { Database } from "../store/database/database.ts";
import { addCounts } from "../store/members/observed-members.ts";
import type { MemberRecorder } from "../worker/member-recorder.ts";
import type { Job } from "./jobs.ts";

/** Short enough that what a page shows of a path and of its values seldom differs. */
const countsEveryMs = 5_000;

/** Writes what this process has counted meanwhile. */
export function memberCountsJob(database: Database, recorder: MemberRecorder): Job {
  const work = () => addCounts(database.kysely, recorder.takeCounts());
  return { name: "counts of members", everyMs: countsEveryMs, work, afterwards: work };
}
