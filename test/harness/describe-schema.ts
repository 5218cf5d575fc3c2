import type pg from "pg";

/**
 * Everything in the schemas of the program, by its name, so that two databases can be compared. Columns stand in the order
 * of their names: a table that was altered has them in another order than one that was made anew. Monthly partitions, which
 * come with time, are left out.
 */
export async function describeSchema(client: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  // So that definitions name the schema of everything.
  await client.query("set search_path = pg_catalog");
  const parts: [string, string][] = [];
  for (const [kind, statement] of Object.entries(statements)) {
    const { rows } = await client.query<{ name: string; text: string }>(statement, [["skedchange", "gateway"]]);
    for (const { name, text } of rows) parts.push([`${kind} ${name}`, text]);
  }
  for (const [table, transitions] of await readTransitions(client)) parts.push([`rows of ${table}`, transitions]);
  await client.query("reset search_path");
  return Object.fromEntries(parts);
}

/** Each gives names and definitions. `$1` are the schemas. */
const statements = {
  table: `
    select c.oid::regclass::text as name,
           concat_ws(' ', c.relkind, pg_get_partkeydef(c.oid), c.reloptions::text,
             case c.relkind when 'v' then pg_get_viewdef(c.oid) end) as text
      from pg_class c
     where c.relnamespace = any ($1::regnamespace[]) and c.relkind in ('r', 'p', 'v') and not c.relispartition
     order by name`,
  "default partition": `
    select i.inhparent::regclass::text as name, c.oid::regclass::text as text
      from pg_class c join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = any ($1::regnamespace[]) and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'
     order by name`,
  column: `
    select a.attrelid::regclass || '.' || a.attname as name,
           concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end, a.attidentity,
             a.attgenerated, a.attstorage, pg_get_expr(d.adbin, d.adrelid)) as text
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = any ($1::regnamespace[]) and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped
     order by name`,
  // One that was added to a large table may not have looked at the rows of before.
  constraint: `
    select k.conrelid::regclass || '.' || k.conname as name,
           regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', '') as text
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.connamespace = any ($1::regnamespace[]) and k.contype in ('p', 'u', 'x', 'c', 'f') and not c.relispartition
     order by name`,
  index: `
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
      from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = any ($1::regnamespace[]) and c.relkind in ('r', 'p') and not c.relispartition
     order by name`,
  trigger: `
    select g.tgrelid::regclass || '.' || g.tgname as name, g.tgenabled::text || ' ' || pg_get_triggerdef(g.oid) as text
      from pg_trigger g join pg_class c on c.oid = g.tgrelid
     where c.relnamespace = any ($1::regnamespace[]) and not g.tgisinternal and not c.relispartition
     order by name`,
  function: `
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text
      from pg_proc p
     where p.pronamespace = any ($1::regnamespace[]) and p.prokind in ('f', 'p')
       and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
     order by name`,
  "rights on": `
    with rights as (
      select 'schema ' || n.nspname as name, a.grantee, a.privilege_type as privilege
        from pg_namespace n, aclexplode(n.nspacl) a where n.oid = any ($1::regnamespace[])
      union all
      select c.oid::regclass::text, a.grantee, a.privilege_type
        from pg_class c, aclexplode(c.relacl) a
       where c.relnamespace = any ($1::regnamespace[]) and c.relkind in ('r', 'p', 'v') and not c.relispartition
      union all
      select t.attrelid::regclass || '.' || t.attname, a.grantee, a.privilege_type
        from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
       where c.relnamespace = any ($1::regnamespace[]) and not c.relispartition
      union all
      -- Without any grant or revoke, everybody may call a function.
      select p.oid::regprocedure::text, a.grantee, a.privilege_type
        from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
       where p.pronamespace = any ($1::regnamespace[])
         and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
    )
    select name, string_agg(case grantee when 0 then 'public' else grantee::regrole::text end || ' ' || privilege, ', '
      order by grantee, privilege) as text
      from rights group by name order by name`,
} as const;

/** The tables of allowed state changes are part of the schema, because their rows are rules. */
async function readTransitions(client: pg.ClientBase): Promise<[string, string][]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = any ($1::regnamespace[]) and c.relkind = 'r' and c.relname like '%\\_transitions'
      order by name`,
    [["skedchange", "gateway"]],
  );
  const found: [string, string][] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ transition: string }>(
      `select from_state || ' -> ' || to_state as transition from ${name} order by 1`,
    );
    found.push([name, rows.map((row) => row.transition).join("\n")]);
  }
  return found;
}
