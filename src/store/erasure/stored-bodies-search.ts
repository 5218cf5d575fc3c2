import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import { openNotesInText } from "../cases/notes.ts";
import type { Database } from "../database/database.ts";
import { type EncryptedColumn, type EncryptedRow } from "../database/encryption.ts";
import { isRepeatedStored, joinRepeated, repeatedColumns } from "../database/repeated-notification.ts";
import { type Sql, sql } from "../database/sql.ts";

/** One stored text of a traveller or about one. */
export interface SearchedBody {
  readonly what: string;
  readonly id: string;
  readonly source: string;
  /** Empty for a notification in quarantine; several if a notification names several orders. */
  readonly orderIds: readonly string[];
  /** Null if it is damaged, or needs a key that this process lacks. */
  readonly text: string | null;
}

/** Rows per statement: a few megabytes. */
const batchSize = 200;

/** Reads and decrypts every stored body and note, table by table. */
export async function* readSearchedBodies(
  database: Pick<Database, "connection" | "encryption">,
  onlyQuarantinedOf?: string,
): AsyncGenerator<SearchedBody> {
  const searched = onlyQuarantinedOf === undefined ? everything : { notification: quarantinedOf(onlyQuarantinedOf) };
  for (const [what, query] of Object.entries(searched)) {
    for await (const row of readRows(database, query)) yield { what, ...row, text: await openText(database, row) };
  }
}

interface Row extends EncryptedRow {
  readonly id: string;
  /** Null for text that is stored in clear but for its notes. */
  readonly column: EncryptedColumn | null;
  readonly source: string;
  readonly orderIds: readonly string[];
}

async function* readRows(
  { connection }: Pick<Database, "connection">,
  query: (after: Sql) => Sql,
): AsyncGenerator<Row> {
  let after: string | null = null;
  for (;;) {
    const isAfter: Sql = after === null ? sql`true` : sql`x.id > ${after}`;
    const { rows } = await sql<Row>`${query(isAfter)} order by x.id limit ${batchSize}`.execute(connection);
    yield* rows;
    const last: Row | undefined = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.id;
  }
}

const body = sql`x.body, x.body_encoding as "bodyEncoding", x.key_id as "keyId"`;

const ofCase = (table: string) => (isAfter: Sql) =>
  sql`
  select x.id, ${`skedchange.${table}.body`}::text as column, c.source, array[c.order_id] as "orderIds", ${body},
    ${repeatedColumns}
  from skedchange.${sql.ref(table)} x join skedchange.cases c on c.id = x.case_id ${joinRepeated("x")}
  where x.body_encoding <> 'deleted' and ${isRepeatedStored} and ${isAfter}
`;

/** Texts that are not encrypted as a whole, only the notes in them. */
const textOfCase = (table: string, text: Sql) => (isAfter: Sql) =>
  sql`
  select x.id, null as column, c.source, array[c.order_id] as "orderIds", convert_to(${text}, 'UTF8') as body,
    'identity' as "bodyEncoding", null::text as "keyId"
  from skedchange.${sql.ref(table)} x join skedchange.cases c on c.id = x.case_id
  where ${text} is not null and ${isAfter}
`;

const notifications = (condition: Sql) => (isAfter: Sql) =>
  sql`
  select x.id, 'skedchange.notifications.body' as column, x.source, array(
    select distinct c.order_id from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
    where j.notification_id = x.id order by c.order_id
  ) as "orderIds", ${body}
  from skedchange.notifications x
  where x.body_encoding <> 'deleted' and ${condition} and ${isAfter}
`;

const quarantinedOf = (source: string) => notifications(sql`x.state = 'quarantined' and x.source = ${source}`);

const everything = {
  notification: notifications(sql`true`),
  status: ofCase("status_views"),
  documents: ofCase("document_views"),
  "polled status": (isAfter: Sql) => sql`
    select x.id, 'skedchange.order_status_views.body' as column, x.source, array[x.order_id] as "orderIds", ${body}
    from skedchange.order_status_views x where ${isAfter}
  `,
  response: (isAfter: Sql) => sql`
    select x.id, 'skedchange.effects.answer' as column, x.source, array[x.order_id] as "orderIds", x.answer as body, x.answer_encoding as "bodyEncoding",
      x.key_id as "keyId", ${repeatedColumns}
    from skedchange.effects x ${joinRepeated("x")}
    where x.answer is not null and ${isRepeatedStored} and ${isAfter}
  `,
  "result of an effect": textOfCase("effects", sql`concat(x.error, x.results)`),
  "timeline line": textOfCase("case_events", sql`x.detail::text`),
  decision: textOfCase("decisions", sql`concat(x.note, x.reasons, x.facts, x.trace, x.inputs)`),
  "document of a decision": (isAfter: Sql) => sql`
    select x.id, 'skedchange.decisions.document' as column, c.source, array[c.order_id] as "orderIds", x.document as body,
      x.document_encoding as "bodyEncoding", x.key_id as "keyId"
    from skedchange.decisions x join skedchange.cases c on c.id = x.case_id where x.document is not null and ${isAfter}
  `,
  approval: textOfCase("approvals", sql`x.note`),
  task: textOfCase("tasks", sql`concat(x.note, x.reasons)`),
  "traveller contact": textOfCase("traveller_contacts", sql`x.note`),
};

async function openText({ encryption }: Pick<Database, "encryption">, row: Row): Promise<string | null> {
  const { column } = row;
  try {
    if (column === null) return withoutEscapes(await openNotesInText(encryption, Buffer.from(row.body).toString()));
    return withoutEscapes((await encryption.open(row, { column, row: row.id })).toString());
  } catch (error) {
    if (!isUnreadableBody(error)) throw error;
    return null;
  }
}

/** Text of JSON as a person reads it. */
function withoutEscapes(json: string): string {
  if (!json.includes("\\")) return json;
  return json
    .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, "$1");
}
