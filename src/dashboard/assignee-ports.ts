import { z } from "zod";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { Stored } from "../kernel/stored.ts";

export const assignee = z.strictObject({
  username: z.string(),
  displayName: z.string(),
  openCases: z.int().min(0),
  openTasks: z.int().min(0),
});

/** A user who may be given cases and tasks, and how many open ones they have. */
export type Assignee = Stored<typeof assignee>;

/**
 * Lists the agents and above who are not disabled and see a source of the caller, by user name.
 *
 * @param source Only users who see this source. Null: any.
 */
export type ListAssignees = (visible: VisibleSources, source: string | null) => Promise<readonly Assignee[]>;
