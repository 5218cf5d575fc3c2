import type pg from "pg";
import { databaseRoleOf, rightsOfRoles, serviceRole } from "./role-rights.ts";
import { lacksRights } from "./sql-states.ts";

/** BullMQ creates a sequence per queue with its first job, so the role may create in its schema, and in no other. */
export async function grantToService(client: pg.Client, serviceUser: string | undefined): Promise<void> {
  const { rows } = await client.query<{ database: string; may_temporary: boolean }>(
    `select current_database() as database,
            has_database_privilege($1, current_database(), 'temporary') as may_temporary`,
    [serviceRole],
  );
  const { database, may_temporary: mayTemporary } = rows[0]!;
  await client.query(`
    grant usage, create on schema bullmq to ${serviceRole};
    grant select, insert, update, delete on all tables in schema bullmq to ${serviceRole};
    grant usage, select, update on all sequences in schema bullmq to ${serviceRole};
    grant execute on all functions in schema bullmq to ${serviceRole};
    alter default privileges in schema bullmq grant select, insert, update, delete on tables to ${serviceRole};
    alter default privileges in schema bullmq grant usage, select, update on sequences to ${serviceRole};
    alter default privileges in schema bullmq grant execute on functions to ${serviceRole};
  `);
  // BullMQ's bulk inserts use temporary tables.
  if (!mayTemporary) {
    const grant = `grant temporary on database ${client.escapeIdentifier(database)} to ${serviceRole}`;
    await client.query(grant).catch((cause: unknown) => {
      throw lacksRights("let the service role make temporary tables", grant, cause);
    });
  }
  if (serviceUser !== undefined) await grantMembership(client, serviceUser);
}

async function grantMembership(client: pg.Client, serviceUser: string): Promise<void> {
  const { rows } = await client.query<{ is_owner: boolean; is_member: boolean | null }>(
    `select $1 = current_user as is_owner,
            (
              select bool_or(pg_has_role(u.oid, r.oid, 'usage'))
              from pg_roles u cross join pg_roles r where u.rolname = $1 and r.rolname = any($2)
            ) as is_member`,
    [serviceUser, [serviceRole, ...Object.keys(rightsOfRoles).map(databaseRoleOf)]],
  );
  const { is_owner: isOwner, is_member: isMember } = rows[0]!;
  if (isOwner || isMember) return;
  const grant = `grant ${serviceRole} to ${client.escapeIdentifier(serviceUser)}`;
  await client.query(grant).catch((cause: unknown) => {
    throw lacksRights(`make ${serviceUser} a member of ${serviceRole}`, grant, cause);
  });
}
