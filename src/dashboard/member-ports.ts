import type { DecisionAction } from "../cases/decision.ts";
import type { Learning } from "../cases/learning.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { StatementClass } from "../contract/statement-class.ts";
import type { MemberMark } from "../itinerary/member-marks.ts";
import type { Actor } from "../kernel/actor.ts";

/** What a source sends and nobody reads, at a glance. */
export interface SourceMembers {
  readonly source: string;
  /** Paths of which something is not marked. */
  readonly openCount: number;
  /** Cases that wait for a person because of them. */
  readonly waitingCount: number;
  readonly learning: Learning | null;
}

interface Observed {
  readonly class: StatementClass;
  /** The recognised word that makes it an order to stop. */
  readonly word: string | null;
  /** Masked; null if it is no scalar. */
  readonly example: string | null;
  readonly firstSeenAt: Date;
  readonly views: number;
  /** At most 5,000; nearly exact up to some hundred. */
  readonly orders: number;
  /** Of these, those of which a view stated it although no change was open. */
  readonly unchangedOrders: number;
}

/** One path. Positions in lists are left out. */
export interface MemberItem extends Observed {
  readonly path: string;
  readonly isOpen: boolean;
  /** The open cases whose decision names it. */
  readonly waitingCount: number;
  /** What may be marked so that it is covered: the path, if its value does not count, and unknown elements above it. */
  readonly markablePaths: readonly string[];
  /** Who has marked the path or an element above it; null if nobody has. */
  readonly mark: MemberMarkView | null;
  readonly values: readonly MemberValue[];
  /** Whether it has had more values than are kept. */
  readonly hasManyValues: boolean;
}

export interface MemberValue extends Observed {
  readonly valueDigest: string;
  readonly mark: MemberMarkView | null;
}

export interface MemberMarkView {
  readonly path: string;
  readonly reason: string;
  readonly markedBy: string;
  readonly markedAt: string;
}

export interface MembersOfSource {
  readonly source: string;
  /** Counts the changes of its marks; a change names the number that it rests on. */
  readonly number: number;
  readonly learning: Learning | null;
  /** Those with the most waiting cases first. */
  readonly items: readonly MemberItem[];
  /** How many there are; `items` has the first of them. */
  readonly total: number;
  /** Whether the source states more paths than are kept. */
  readonly hasMorePaths: boolean;
}

export interface MemberFilter {
  readonly state: "open" | "marked" | null;
  /** A part of the path, in any case. */
  readonly text: string | null;
}

export interface MarkRequest extends Actor {
  readonly source: string;
  readonly path: string;
  /** Empty: the path and all below it. */
  readonly valueDigests: readonly string[];
  readonly reason: string;
  readonly replaces: number;
}

/** What a mark would do to the cases that wait for it, by the statuses that were read last. Nothing is changed. */
export interface MarkPreview {
  readonly number: number;
  /** Cases that would be decided anew. Cases that an agent has taken over stay. */
  readonly waiting: number;
  /** How many of them were tried; the most urgent ones if there are too many. */
  readonly tried: number;
  /** Of those that were tried: which no longer wait for a member or an order to stop. */
  readonly released: number;
  /** What becomes of the released ones. */
  readonly actions: Readonly<Partial<Record<DecisionAction, number>>>;
}

export type MarkRefusal = {
  readonly outcome: "refused";
  readonly code:
    | "members.value_needed"
    | "members.not_observed"
    | "members.read_by_skedchange"
    | "members.already_marked"
    | "members.not_marked";
  readonly message: string;
};

export type MarkOutcome =
  | { readonly outcome: "changed"; readonly number: number; readonly casesDue: number }
  | { readonly outcome: "conflict"; readonly number: number }
  | MarkRefusal;

export interface MarksChangeItem {
  readonly number: number;
  /** As decisions name it. */
  readonly version: string;
  readonly change: "marked" | "withdrawn";
  readonly path: string;
  readonly valueDigests: readonly string[];
  readonly reason: string;
  readonly changedAt: Date;
  readonly changedBy: string;
}

export interface MarksOfSource {
  readonly number: number;
  /** As decisions name it. What is shipped is part of it. */
  readonly version: string;
  /** Those of the source; the shipped ones are left out. */
  readonly marks: readonly MemberMark[];
  /** The newest 200 changes, newest first. */
  readonly changes: readonly MarksChangeItem[];
}

/** Null: there is no such source. */
export interface Members {
  listSources(visible: VisibleSources): Promise<readonly SourceMembers[]>;
  read(source: string, filter: MemberFilter): Promise<MembersOfSource | null>;
  readMarks(source: string): Promise<MarksOfSource | null>;
  preview(request: Omit<MarkRequest, "reason" | keyof Actor>): Promise<MarkPreview | MarkRefusal | null>;
  mark(request: MarkRequest): Promise<MarkOutcome | null>;
  /** The same path and values as they were marked. */
  withdraw(request: MarkRequest): Promise<MarkOutcome | null>;
}
