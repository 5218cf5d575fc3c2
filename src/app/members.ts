import type { DecisionAction } from "../cases/decision.ts";
import { foresee } from "../cases/foresee.ts";
import type { Learning } from "../cases/learning.ts";
import type { SourceSettings } from "../cases/source-settings.ts";
import { isVisible } from "../cases/visible-sources.ts";
import type { SourceConfiguration } from "../config/sources-file.ts";
import { dialect } from "../connectors/document/dialect.ts";
import type {
  MarkOutcome,
  MarkPreview,
  MarkRefusal,
  MarkRequest,
  MemberItem,
  Members,
  SourceMembers,
} from "../dashboard/member-ports.ts";
import { type MemberMark, type MemberMarks, memberMarksOf, withShipped } from "../itinerary/member-marks.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { beginLearning, countLearned, endLearning, requeueAfterLearning } from "../store/members/learning.ts";
import type { MemberMarkStore, StoredMark, StoredMarks } from "../store/members/member-marks.ts";
import { pathsPerSourceMax, readObserved } from "../store/members/observed-members.ts";
import { countWaiting, countWaitingCases, readWaiting } from "../store/members/waiting-cases.ts";
import type { Logger } from "../telemetry/logger.ts";
import { keyFormsAt, marksWithout, refuseMark, toItems } from "./member-items.ts";
import { readStatus } from "./read-change.ts";

export interface MemberRuntime {
  readonly members: Members;
  /** Returns what is marked for a source, with what is shipped. */
  readonly marksOf: (source: string) => MemberMarks;
  /** Null unless the source still learns. */
  readonly learningOf: (source: string) => Learning | null;
  /** The sources from which this process is not to learn, even if their learning was begun and has not ended. */
  readonly sourcesWithoutLearning: readonly string[];
  /** Reloads what is in force. If that fails, the present state stays. */
  refresh(): Promise<void>;
}

export interface MemberRuntimeOptions {
  readonly sources: readonly (Pick<SourceConfiguration, "id"> & { readonly learnOrders: number })[];
  readonly store: MemberMarkStore;
  readonly database: Database;
  /** Returns the settings with which a mark is tried before it is made. */
  readonly settingsOf: (source: string) => SourceSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Loads the marks of each source, and begins the learning of those that are to learn. */
export async function openMembers(options: MemberRuntimeOptions): Promise<MemberRuntime> {
  const { sources, store, database, clock, logger } = options;
  const inForce = new Map<string, InForce>();
  const learners = new Map(sources.flatMap(({ id, learnOrders }) => (learnOrders > 0 ? [[id, learnOrders]] : [])));
  let learned: ReadonlyMap<string, number> = new Map();

  const readMarks = async (): Promise<void> => {
    const bySource = new Map((await store.listCurrent()).map((current) => [current.source, current]));
    for (const { id: source } of sources) {
      const stored = bySource.get(source) ?? { source, number: 0, marks: [] };
      const marks = inForceWith(stored.marks);
      const before = inForce.get(source)?.marks.version;
      if (before === marks.version) continue;
      await store.storeSet(marks.version, marks.marks);
      if (before !== undefined)
        logger.info({ source, number: stored.number, version: marks.version }, "marks.in_force");
      inForce.set(source, { stored, marks });
    }
  };
  const readLearned = async (): Promise<void> => {
    if (learners.size === 0) return;
    const counted = await countLearned(database.connection);
    for (const [source, observed] of counted) {
      if (observed < (learners.get(source) ?? Number.POSITIVE_INFINITY)) continue;
      await endLearning(database.connection, source, clock.now());
      await requeueAfterLearning(database.connection, [source]);
      logger.info({ source, observed }, "learning.ended");
    }
    learned = counted;
  };
  let reading: Promise<void> = Promise.resolve();
  // One after the other, so that an earlier reading never replaces a later one.
  const read = (): Promise<void> => {
    reading = reading
      .catch(() => {})
      .then(readMarks)
      .then(readLearned);
    return reading;
  };
  if (learners.size > 0) await beginLearning(database.connection, [...learners.keys()], clock.now());
  await read();

  const learningOf = (source: string): Learning | null => {
    const [observed, wanted] = [learned.get(source), learners.get(source)];
    return observed === undefined || wanted === undefined || observed >= wanted ? null : { observed, wanted };
  };
  return {
    marksOf: (source) => (inForce.get(source) ?? noneStored(source)).marks,
    learningOf,
    sourcesWithoutLearning: sources.flatMap(({ id, learnOrders }) => (learnOrders === 0 ? [id] : [])),
    refresh: () => read().catch((error: unknown) => logger.error({ error }, "marks.refresh_failed")),
    members: createMembers(options, { read, learningOf, inForceOf: (source) => inForce.get(source) ?? null }),
  };
}

interface InForce {
  readonly stored: StoredMarks;
  readonly marks: MemberMarks;
}

/** Reads the marks of every source that has marks of its own, with those that are shipped. */
export async function readMarksInForce(
  store: Pick<MemberMarkStore, "listCurrent">,
): Promise<ReadonlyMap<string, MemberMarks>> {
  return new Map((await store.listCurrent()).map(({ source, marks }) => [source, inForceWith(marks)]));
}

/** Leaves out who made a mark, and when, which decides nothing. */
function inForceWith(stored: readonly MemberMark[]): MemberMarks {
  return withShipped(memberMarksOf(stored.map(toMark)));
}

function toMark({ path, valueDigest, keyForms, reason }: MemberMark): MemberMark {
  return { path, valueDigest, ...(keyForms === undefined ? {} : { keyForms }), reason };
}

function noneStored(source: string): InForce {
  return { stored: { source, number: 0, marks: [] }, marks: inForceWith([]) };
}

/** What is in force now, and how it is read again after a change. */
interface MarksAndLearning {
  read(): Promise<void>;
  inForceOf(source: string): InForce | null;
  learningOf(source: string): Learning | null;
}

/** At most so many waiting cases are decided anew to show what a mark would do. */
const triedMax = 200;

/** At most so many items are in one response; a narrower path finds the others. */
const listedMax = 200;

function createMembers(options: MemberRuntimeOptions, { read, inForceOf, learningOf }: MarksAndLearning): Members {
  const { sources, store, database, settingsOf, clock, logger } = options;
  const itemsOf = async (source: string, { stored }: InForce): Promise<readonly MemberItem[]> => {
    const [rows, waiting] = await Promise.all([
      readObserved(database.connection, source),
      countWaiting(database.connection, source),
    ]);
    return toItems(rows, waiting, stored.marks);
  };

  const change = async (request: MarkRequest, kind: "marked" | "withdrawn"): Promise<MarkOutcome | null> => {
    const { source, path, valueDigests, actor } = request;
    const current = inForceOf(source);
    if (current === null) return null;
    const next = kind === "marked" ? await marksWith(request, current) : marksWithout(request, current.stored.marks);
    if ("outcome" in next) return next;
    const { version } = inForceWith(next);
    const outcome = await store.change({ ...request, change: kind, marks: next, version });
    if (outcome.outcome === "changed") {
      logger.info({ source, path, values: valueDigests.length, number: outcome.number, actor }, `marks.${kind}`);
    }
    await read();
    return outcome;
  };

  const marksWith = async (
    request: Pick<MarkRequest, "source" | "path" | "valueDigests"> & Partial<MarkRequest>,
    { stored, marks }: InForce,
  ): Promise<readonly StoredMark[] | MarkRefusal> => {
    const { source, path, valueDigests, reason = "", actor = "" } = request;
    const rows = await readObserved(database.connection, source);
    const refusal = refuseMark(rows, request, marks.marks);
    if (refusal !== null) return refusal;
    const by = { reason, markedBy: actor, markedAt: clock.now().toISOString() };
    if (valueDigests.length > 0)
      return [...stored.marks, ...valueDigests.map((valueDigest) => ({ path, valueDigest, ...by }))];
    const keyForms = keyFormsAt(path, rows);
    return [...stored.marks, { path, valueDigest: null, ...(keyForms.length > 0 ? { keyForms } : {}), ...by }];
  };

  return {
    listSources: async (visible) =>
      await Promise.all(
        sources
          .filter(({ id }) => isVisible(id, visible))
          .map(async ({ id: source }) => {
            const items = await itemsOf(source, inForceOf(source) ?? noneStored(source));
            const open = items.filter(({ isOpen }) => isOpen);
            return {
              source,
              openCount: open.length,
              waitingCount: await countWaitingCases(database.connection, source),
              learning: learningOf(source),
            };
          }),
      ),

    read: async (source, { state, text }): Promise<SourceMembers | null> => {
      const current = inForceOf(source);
      if (current === null) return null;
      const all = await itemsOf(source, current);
      const part = text?.toLowerCase() ?? "";
      const found = all.filter(
        ({ path, isOpen }) => path.toLowerCase().includes(part) && (state === null || isOpen === (state === "open")),
      );
      return {
        source,
        number: current.stored.number,
        learning: learningOf(source),
        items: found.toSorted(byWaiting).slice(0, listedMax),
        total: found.length,
        hasMorePaths: all.length >= pathsPerSourceMax,
      };
    },

    readMarks: async (source) => {
      const current = inForceOf(source);
      if (current === null) return null;
      const { stored, marks } = current;
      return {
        number: stored.number,
        version: marks.version,
        marks: stored.marks.map(toMark),
        changes: await store.listVersions(source),
      };
    },

    preview: async (request): Promise<MarkPreview | MarkRefusal | null> => {
      const { source, path, valueDigests, replaces } = request;
      const current = inForceOf(source);
      if (current === null) return null;
      const next = await marksWith(request, current);
      if ("outcome" in next) return next;
      const settings = { ...settingsOf(source), marks: inForceWith(next) };
      const { total, cases } = await readWaiting(database, dialect, { source, path, valueDigests }, triedMax);
      const foreseen = cases.flatMap(({ context, status }) => {
        const reading = status === null ? null : readStatus(status);
        if (reading === null || !("view" in reading) || reading.view === null) return [];
        return foresee(context, reading.view, settings, clock.now()) ?? [];
      });
      const released = foreseen.filter(({ isUnread }) => !isUnread);
      const actions: Partial<Record<DecisionAction, number>> = {};
      for (const { action } of released) actions[action] = (actions[action] ?? 0) + 1;
      return { number: replaces, waiting: total, tried: cases.length, released: released.length, actions };
    },

    mark: (request) => change(request, "marked"),
    withdraw: (request) => change(request, "withdrawn"),
  };
}

function byWaiting(a: MemberItem, b: MemberItem): number {
  return b.waitingCount - a.waitingCount || b.orders - a.orders || (a.path < b.path ? -1 : 1);
}
