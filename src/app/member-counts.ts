import type { Database } from "../store/database/database.ts";
import { addCounts } from "../store/members/observed-members.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { MemberRecorder } from "../worker/member-recorder.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

/** Short enough that what a page shows of a path and of its values seldom differs. */
const countsEveryMs = 5_000;

/** Writes what this process has counted meanwhile. */
export function runMemberCounts(parts: {
  readonly database: Database;
  readonly recorder: MemberRecorder;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, recorder } = parts;
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
}
