import type { VisibleSources } from "../cases/visible-sources.ts";

/** A user who may be given cases and tasks, and how much they have. */
export interface Assignee {
  readonly username: string;
  readonly displayName: string;
  readonly openCases: number;
  readonly openTasks: number;
}

/**
 * Agents and above who are not disabled and see a source of the caller, by user name.
 *
 * @param source Only who sees this one. Null: any.
 */
export type ListAssignees = (visible: VisibleSources, source: string | null) => Promise<readonly Assignee[]>;
