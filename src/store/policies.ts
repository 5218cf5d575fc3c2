import type { VisibleSources } from "../cases/visible-sources.ts";
import type { Page, PageRequest } from "../dashboard/paging-ports.ts";
import {
  type ActivationOutcome,
  type PolicyActivation,
  type PolicyRole,
  type PolicyTerm,
  type PolicyVersion,
  policyTerm,
  policyVersion,
  type ShadowCount,
  type ShadowDifference,
  type StoredPolicyVersion,
  storedVersion,
} from "../dashboard/policy-ports.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { nameToken } from "./audit/audit-actor.ts";
import { type ChannelListener, listenToChannel } from "./database/channel-listener.ts";
import { columnsOf } from "./database/columns-of.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";
import { type Connection, inTransaction } from "./database/transaction.ts";
import { isOfVisibleSource } from "./database/visible-rows.ts";

/** Each method is one transaction. */
export interface PolicyStore {
  /** Inserts a version unless it is stored already; returns whether it was new. */
  saveVersion(version: Omit<StoredPolicyVersion, "createdAt">, tokenId?: Actor["tokenId"]): Promise<boolean>;
  /** Null also for one that only ever had a role for sources that are not visible. */
  readVersion(version: string, visible: VisibleSources): Promise<StoredPolicyVersion | null>;
  /** The newest 200, newest first, without those. */
  listVersions(visible: VisibleSources): Promise<readonly PolicyVersion[]>;
  listCurrentTerms(): Promise<readonly PolicyTerm[]>;
  /** The newest 200 of a source, newest first. */
  listTerms(source: string): Promise<readonly PolicyTerm[]>;
  /** The newest 200 of a version in every source, newest first. */
  listTermsOfVersion(version: string): Promise<readonly PolicyTerm[]>;
  /**
   * Gives a version a role. Of two calls that replace the same version, one gets a conflict. Activating the active
   * version changes nothing, activating the shadow version ends its comparison, and the active version cannot become the
   * shadow.
   */
  activate(activation: PolicyActivation): Promise<ActivationOutcome>;
  countShadow(source: string, version: string): Promise<ShadowCount>;
  listDifferences(source: string, version: string, page: PageRequest): Promise<Page<ShadowDifference>>;
}

/** Each transaction that activates a version notifies this channel. */
const policyChannel = "skedchange_policies";

const listedMax = 200;

export function createPolicyStore(database: Pick<Database, "connection" | "pool">, clock: Clock): PolicyStore {
  const { connection } = database;
  return {
    saveVersion: ({ version, name, text, createdBy, note }, tokenId) =>
      inTransaction(database, async (transaction) => {
        await nameToken(transaction, tokenId);
        const { rows } = await sql`
        insert into skedchange.policy_versions (version, name, text, created_at, created_by, note)
        values (${version}, ${name}, ${text}, ${clock.now()}, ${createdBy}, ${note})
        on conflict (version) do nothing
        returning version
      `.execute(transaction);
        return rows.length > 0;
      }),

    readVersion: async (version, visible) => {
      const { rows } = await sql<StoredPolicyVersion>`
        select ${columnsOf(storedVersion, "v")} from skedchange.policy_versions v
        where v.version = ${version} and ${isVisibleVersion(visible)}
      `.execute(connection);
      return rows[0] ?? null;
    },

    listVersions: async (visible) => {
      const { rows } = await sql<PolicyVersion>`
        select ${versionColumns} from skedchange.policy_versions v
        where ${isVisibleVersion(visible)}
        order by v.created_at desc, v.version limit ${listedMax}
      `.execute(connection);
      return rows;
    },

    listCurrentTerms: async () => {
      const { rows } = await sql<PolicyTerm>`
        select ${termColumns} from ${termsWithNames} where t.ended_at is null order by t.source, t.role
      `.execute(connection);
      return rows;
    },

    listTerms: async (source) => {
      const { rows } = await sql<PolicyTerm>`
        select ${termColumns} from ${termsWithNames} where t.source = ${source}
        order by t.began_at desc, t.id desc limit ${listedMax}
      `.execute(connection);
      return rows;
    },

    listTermsOfVersion: async (version) => {
      const { rows } = await sql<PolicyTerm>`
        select ${termColumns} from ${termsWithNames} where t.version = ${version}
        order by t.began_at desc, t.id desc limit ${listedMax}
      `.execute(connection);
      return rows;
    },

    activate: (activation) => activate(database, clock, activation),

    countShadow: async (source, version) => {
      const { rows } = await sql<ShadowCount>`
        select count(*) as compared, count(*) filter (where differs) as differing
        from skedchange.shadow_decisions where source = ${source} and version = ${version}
      `.execute(connection);
      return rows[0]!;
    },

    listDifferences: async (source, version, { after, limit }) => {
      const { rows } = await sql<DifferenceRow>`
        select s.decision_id as "decisionId", d.case_id as "caseId", c.order_id as "orderId", s.decided_at as "decidedAt",
          jsonb_build_object('action', d.action, 'reviewQueue', d.review_queue, 'rule', d.rule,
            'reason', d.reasons -> 0 ->> 'code') as active,
          jsonb_build_object('action', s.action, 'reviewQueue', s.review_queue, 'rule', s.rule, 'reason', s.reason)
            as shadow,
          to_char(s.decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
        from skedchange.shadow_decisions s
        join skedchange.decisions d on d.id = s.decision_id
        join skedchange.cases c on c.id = d.case_id
        where s.source = ${source} and s.version = ${version} and s.differs
          and ${after === null ? sql`true` : sql`(s.decided_at, s.decision_id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
        order by s.decided_at desc, s.decision_id desc
        limit ${limit + 1}
      `.execute(connection);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        items: shown.map(({ position: _, ...difference }) => difference),
        next: rows.length > limit && last !== undefined ? { at: last.position, id: last.decisionId } : null,
      };
    },
  };
}

/** @param options.onChange also called after a reconnection, because anything may have changed meanwhile */
export function listenForActivations(options: {
  readonly url: string;
  readonly applicationName: string;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}): Promise<ChannelListener> {
  const { url, applicationName, onChange, onError } = options;
  return listenToChannel({
    url,
    applicationName: `${applicationName} policies`,
    channels: [policyChannel],
    onMessage: onChange,
    onResumed: onChange,
    onError,
  });
}

type DifferenceRow = ShadowDifference & { readonly position: string };

const versionColumns = columnsOf(policyVersion, "v");

function isVisibleVersion(visible: VisibleSources) {
  if (visible === null) return sql`true`;
  return sql`(
    v.created_by = 'shipped'
    or not exists (select from skedchange.policy_terms t where t.version = v.version)
    or exists (
      select from skedchange.policy_terms t
      where t.version = v.version and ${isOfVisibleSource(sql`t.source`, visible)}))`;
}

const termsWithNames = sql`skedchange.policy_terms t join skedchange.policy_versions v on v.version = t.version`;

const termColumns = columnsOf(policyTerm, "t", { name: sql`v.name` });

async function activate(
  database: Pick<Database, "connection" | "pool">,
  clock: Clock,
  { source, role, version, replaces, note, actor, tokenId }: PolicyActivation,
): Promise<ActivationOutcome> {
  const at = clock.now();
  return await inTransaction(database, async (transaction) => {
    await nameToken(transaction, tokenId);
    // A source may have no row to lock yet.
    await sql`select pg_advisory_xact_lock(hashtext(${`${policyChannel}/${source}`}))`.execute(transaction);
    if (version !== null) {
      const { rows } = await sql`select 1 from skedchange.policy_versions where version = ${version}`.execute(
        transaction,
      );
      if (rows.length === 0) return { outcome: "no-such-version", version };
    }
    const current = await currentVersion(transaction, source, role);
    if (replaces !== undefined && replaces !== current) return { outcome: "conflict", current };
    if (current === version) return { outcome: "activated" };
    if (role === "shadow" && version !== null && version === (await currentVersion(transaction, source, "active"))) {
      return {
        outcome: "refused",
        code: "policy.is_active",
        message: `Version ${version} is the active policy of source ${source}, and a shadow is compared with that one. Name another version.`,
      };
    }
    // A shadow that is activated would only be compared with itself from now on.
    await sql`
      update skedchange.policy_terms set ended_at = ${at}, ended_by = ${actor}
      where source = ${source} and ended_at is null
        and (role = ${role} or (${role} = 'active' and role = 'shadow' and version = ${version}))
    `.execute(transaction);
    if (version !== null) {
      await sql`
        insert into skedchange.policy_terms (id, source, role, version, began_at, began_by, note)
        values (${newId(clock)}, ${source}, ${role}, ${version}, ${at}, ${actor}, ${note})
      `.execute(transaction);
    }
    await sql`select pg_notify(${policyChannel}, '')`.execute(transaction);
    return { outcome: "activated" };
  });
}

async function currentVersion(transaction: Connection, source: string, role: PolicyRole): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    select version from skedchange.policy_terms where source = ${source} and role = ${role} and ended_at is null
  `.execute(transaction);
  return rows[0]?.version ?? null;
}
