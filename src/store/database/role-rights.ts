import type pg from "pg";
import { codeOf } from "../../kernel/app-error.ts";
import { isLackingRight } from "./sql-states.ts";

/** On what it names, a role may do what this one may, which is for processes of several roles. */
export const serviceRole = "skedchange_service";

const names = (list: string): readonly string[] => list.split(" ");

const everywhere = names("schema_migrations processes seal_audit_entries ensure_notification_partitions");
const localTimes = names("time_zone_tables time_zone_terms");
const notifications = names("notifications notification_digests");
const orders = names("orders order_status_views poll_pace");
const cases = [
  ...names("cases case_events case_notifications case_search case_search_backlog audited_text"),
  ...names("decisions shadow_decisions effects status_views document_views is_deleting"),
  ...names("tasks approvals traveller_contacts bulk_actions bulk_action_cases"),
];
const automation = [
  ...names("automation_stops automation_is_stopped policy_versions policy_terms"),
  ...names("source_learning learning_orders observed_members member_mark_sets member_marks"),
];
const audit = names("audit_entries audited_lines audit_blocks audit_chain audit_progress");
const overview = names("overview_progress overview_sums");
const deletion = names("delete_expired_bodies delete_expired_cases");
const events = [
  ...names("event_recipients event_bodies event_deliveries event_lanes event_turns event_attempts event_replays"),
  "delete_ended_events",
];
const notices = names("notice_rules notices notice_cases");
/** Whoever decides for a person looks at the account. */
const accounts = names("users api_tokens");
const people = [
  ...names("sessions second_factors second_factor_roles recovery_codes sign_in_failures views"),
  ...names("audit_export audit_traveller_search order_imports"),
];

/** Read where its settings are compared with what is stored: by a worker, and by the page *Health*. */
const retention = ["retention_periods"];

const agencySide = [notifications, orders, cases, automation, audit, overview, notices, accounts, retention].flat();

interface Rights {
  /** Tables and functions, of the schema `skedchange` unless they name another one. */
  readonly named: readonly string[];
  /** Everything in these schemas. */
  readonly whole: readonly string[];
}

/** What a process needs, by its role. The login of a process is a member of its roles: `skedchange_receiver` and so on. */
export const rightsOfRoles: Readonly<Record<string, Rights>> = {
  receiver: {
    named: [...everywhere, ...notifications, ...names("signing_keys client_assertions recognised_credentials")],
    whole: [],
  },
  worker: {
    named: [...everywhere, ...localTimes, ...agencySide, ...deletion],
    whole: ["bullmq"],
  },
  sender: {
    named: [...everywhere, ...localTimes, ...events, ...notices, ...cases, ...orders, "users", "automation_stops"],
    whole: ["gateway"],
  },
  dashboard: {
    // The page *Health* says whether a gateway's notifications wait for a sender.
    named: [...everywhere, ...localTimes, ...agencySide, ...events, ...people, "gateway.recipients", "gateway.lanes"],
    whole: [],
  },
  gateway: { named: [...everywhere, ...localTimes], whole: ["gateway"] },
};

export const databaseRoleOf = (role: string): string => `skedchange_${role}`;

/**
 * Gives each role exactly its rights. An owner that may not create the roles leaves out those that are missing: then all
 * processes share the login of the service role.
 * @returns the roles that are missing
 */
export async function grantToRoles(client: pg.ClientBase): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [name, rights] of Object.entries(rightsOfRoles)) {
    const role = databaseRoleOf(name);
    if (!(await makeSure(client, role))) missing.push(role);
    else await grant(client, role, rights);
  }
  return missing;
}

async function makeSure(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
  if (rowCount !== 0) return true;
  try {
    await client.query(`create role ${role} nologin`);
    return true;
  } catch (error) {
    if (isLackingRight(error)) return false;
    if (codeOf(error) === duplicateObject) return true;
    throw error;
  }
}

const duplicateObject = "42710";

/** In one transaction, so that no process misses a right in between. */
async function grant(client: pg.ClientBase, role: string, { named, whole }: Rights): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(grantsLikeService, [
    serviceRole,
    role,
    named.map(inSchema),
    whole,
  ]);
  const schemas = ["skedchange", "gateway", "bullmq"];
  await client.query("begin");
  try {
    for (const schema of schemas) {
      await client.query(`
        revoke all on all tables in schema ${schema} from ${role};
        revoke all on all functions in schema ${schema} from ${role};
        revoke all on all sequences in schema ${schema} from ${role};
        revoke all on schema ${schema} from ${role}`);
    }
    await client.query(rows.map(({ statement }) => statement).join(";\n"));
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

const inSchema = (name: string): string => (name.includes(".") ? name : `skedchange.${name}`);

const grantsLikeService = `
  with wanted as (
    select n.oid, n.nspname as schema, n.nspname = any($4) as is_whole from pg_namespace n
    where n.nspname = any($4) or exists (select from unnest($3::text[]) named where split_part(named, '.', 1) = n.nspname)
  ), rights as (
    select format('schema %I', w.schema) as target, a.privilege_type as privilege, null::text as of_column
      from wanted w join pg_namespace n on n.oid = w.oid, aclexplode(n.nspacl) a
      where a.grantee = $1::regrole
    union all
    select format('database %I', d.datname), a.privilege_type, null
      from pg_database d, aclexplode(d.datacl) a
      where d.datname = current_database() and a.grantee = $1::regrole and 'bullmq' = any($4)
    union all
    select format('%s %I.%I', case c.relkind when 'S' then 'sequence' else 'table' end, w.schema, c.relname), a.privilege_type, null
      from wanted w join pg_class c on c.relnamespace = w.oid, aclexplode(c.relacl) a
      where a.grantee = $1::regrole and (w.is_whole or w.schema || '.' || c.relname = any($3))
    union all
    select format('table %I.%I', w.schema, c.relname), a.privilege_type, t.attname
      from wanted w join pg_class c on c.relnamespace = w.oid join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
      where a.grantee = $1::regrole and (w.is_whole or w.schema || '.' || c.relname = any($3))
    union all
    select 'function ' || p.oid::regprocedure, a.privilege_type, null
      from wanted w join pg_proc p on p.pronamespace = w.oid, aclexplode(p.proacl) a
      where a.grantee = $1::regrole and (w.is_whole or w.schema || '.' || p.proname = any($3))
  )
  select format('grant %s%s on %s to %I', privilege, '(' || string_agg(quote_ident(of_column), ', ') || ')', target, $2::text) as statement
  from rights group by target, privilege, of_column is null`;
