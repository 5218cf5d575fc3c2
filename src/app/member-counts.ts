import type { Database } from "../store/database/database.ts";
import { addCounts } from "../store/members/observed-members.ts";
import type { MemberRecorder } from "../worker/member-recorder.ts";
import type { Job } from "./jobs.ts";

/** Short enough that the counts of a path and those of its values seldom disagree on a page. */
const countsEveryMs = 5_000;

/** Adds what this process has counted of the members of views to the stored counts, every few seconds and at its stop. */
export function memberCountsJob(database: Database, recorder: MemberRecorder): Job {
  const work = () => addCounts(database.connection, recorder.takeCounts());
  return { name: "counts of members", everyMs: countsEveryMs, work, afterwards: work };
}
