import { z } from "zod";
import { decisionActions } from "../cases/decision.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import { statementClasses } from "../contract/statement-class.ts";
import type { Actor } from "../kernel/actor.ts";
import { instant, type Stored } from "../kernel/stored.ts";

const statementClass = z.enum(statementClasses).meta({
  description:
    "`stop`: it tells to stop, and each value is marked by itself; `code`: a short value, and each is marked by itself; `other`: the path, or an element above it, is marked.",
});
const learning = z
  .strictObject({ observed: z.int().min(0), wanted: z.int().min(1) })
  .nullable()
  .meta({ description: "Orders, while the source still learns: nothing automatic is sent. Null: it does not." });
const path = z.string().meta({ description: "Without positions, such as `Order.Remarks.Text`." });
export const valueDigest = z
  .string()
  .regex(/^[0-9a-f]{16,64}$/, "must be the digest of a value")
  .meta({ description: "Tells one value from another; hexadecimal." });
export const marksNumber = z
  .int()
  .min(0)
  .meta({ description: "Counts the changes of the marks of the source; 0 before the first." });
const reason = z.string().meta({ description: "Why it is harmless." });
const person = z.string().meta({ description: "`person:` and who." });

/** Who has marked it; null if nobody has. */
const mark = z.strictObject({ path, reason, markedBy: person, markedAt: instant }).nullable();

export type MemberMarkView = NonNullable<Stored<typeof mark>>;

const observedMembers = {
  class: statementClass,
  word: z.string().nullable().meta({ description: "The recognised word that makes it an order to stop." }),
  example: z.string().nullable().meta({ description: "Masked, except for codes outside elements about people." }),
  firstSeenAt: instant,
  views: z.int().min(0),
  orders: z.int().min(0).meta({ description: "Nearly exact up to some hundred; 5000 also stands for more." }),
  unchangedOrders: z
    .int()
    .min(0)
    .meta({ description: "Orders of which a view stated it although no change was open." }),
};

/** What a source sends and nobody reads, at a glance. */
export const sourceSummary = z.strictObject({
  source: z.string(),
  openCount: z.int().min(0).meta({ description: "Paths of which something is not marked." }),
  waitingCount: z.int().min(0).meta({ description: "Cases that wait for a person because of them." }),
  learning,
});

export type SourceSummary = Stored<typeof sourceSummary>;

const memberValue = z.strictObject({ valueDigest, ...observedMembers, mark });

export type MemberValue = Stored<typeof memberValue>;

/** One path. Positions in lists are left out. */
const memberItem = z.strictObject({
  path,
  ...observedMembers,
  isOpen: z.boolean(),
  waitingCount: z.int().min(0).meta({ description: "Open cases whose decision names it." }),
  markablePaths: z.array(path).meta({
    description: "What may be marked so that it is covered, the nearest first. Empty: only values may.",
  }),
  mark: mark.meta({ description: "Of the path or of an element above it." }),
  values: z.array(memberValue),
  hasManyValues: z.boolean().meta({ description: "It has had more values than are kept." }),
});

export type MemberItem = Stored<typeof memberItem>;

/** `total`: how many items there are; `items` has the first of them. */
export const sourceMembers = z
  .strictObject({
    source: z.string(),
    number: marksNumber,
    learning,
    items: z.array(memberItem).meta({ description: "At most 200, those with the most waiting cases first." }),
    total: z.int().min(0),
    hasMorePaths: z.boolean().meta({ description: "The source states more paths than are kept." }),
  })
  .meta({ id: "SourceMembers" });

export type SourceMembers = Stored<typeof sourceMembers>;

export const marksOfSource = z
  .strictObject({
    number: marksNumber,
    version: z
      .string()
      .meta({ description: "As decisions name it in `versions.memberMarks`; shipped marks are part of it." }),
    marks: z
      .array(
        z.strictObject({
          path,
          valueDigest: z.string().nullable().meta({ description: "Null: the path and all below it." }),
          keyForms: z.array(z.string()).optional().meta({
            description: "The path has keys of these forms, such as `XXX9`, and codes of them are covered too.",
          }),
          reason,
        }),
      )
      .meta({ description: "Those of the source; the shipped ones are left out." }),
    changes: z
      .array(
        z.strictObject({
          number: marksNumber,
          version: z.string().meta({ description: "As decisions name it in `versions.memberMarks`." }),
          change: z.enum(["marked", "withdrawn"]),
          path,
          valueDigests: z.array(z.string()).meta({ description: "Empty: the path and all below it." }),
          reason,
          changedAt: instant,
          changedBy: person,
        }),
      )
      .meta({ description: "The newest 200, newest first." }),
  })
  .meta({ id: "MemberMarks" });

export type MarksOfSource = Stored<typeof marksOfSource>;

/** By the statuses that were read last. Nothing is changed. */
export const markPreview = z
  .strictObject({
    number: marksNumber,
    waiting: z.int().min(0).meta({ description: "Cases that would be decided anew." }),
    tried: z.int().min(0).meta({ description: "How many of them were tried, the most urgent ones." }),
    released: z.int().min(0).meta({ description: "Of those: which no longer wait for a member or an order to stop." }),
    actions: z
      .partialRecord(z.enum(decisionActions), z.int().min(1))
      .meta({ description: "What would be decided about the released ones." }),
  })
  .meta({ id: "MarkPreview" });

export type MarkPreview = Stored<typeof markPreview>;

export const marksChanged = z
  .strictObject({
    number: marksNumber,
    casesDue: z.int().min(0).meta({ description: "Cases that are decided anew." }),
  })
  .meta({ id: "MarksChanged" });

export interface MemberFilter {
  readonly state: "open" | "marked" | null;
  /** A part of the path, in any case. */
  readonly text: string | null;
}

export interface MarkRequest extends Actor, Pick<MarksOfSource["changes"][number], "path" | "valueDigests" | "reason"> {
  readonly source: string;
  /** The number of the document that it rests on. */
  readonly replaces: number;
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
  | ({ readonly outcome: "changed" } & Stored<typeof marksChanged>)
  | { readonly outcome: "conflict"; readonly number: number }
  | MarkRefusal;

/** Null: there is no such source. */
export interface Members {
  listSources(visible: VisibleSources): Promise<readonly SourceSummary[]>;
  read(source: string, filter: MemberFilter): Promise<SourceMembers | null>;
  readMarks(source: string): Promise<MarksOfSource | null>;
  preview(request: Omit<MarkRequest, "reason" | keyof Actor>): Promise<MarkPreview | MarkRefusal | null>;
  mark(request: MarkRequest): Promise<MarkOutcome | null>;
  /** The same path and values as they were marked. */
  withdraw(request: MarkRequest): Promise<MarkOutcome | null>;
}
