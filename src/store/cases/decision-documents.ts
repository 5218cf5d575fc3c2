import { type DecisionDocument, decisionDocument } from "../../cases/decision-document.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import type { EncryptedRow, Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";

/** The encrypted document of decision `d`, beside its other columns. */
export const documentColumns = sql`d.document as body, d.document_encoding as "bodyEncoding", d.key_id as "keyId"`;

export interface DocumentRow extends Pick<EncryptedRow, "bodyEncoding" | "keyId"> {
  /** Null for what was stored before there were documents, and after an erasure: the other columns are all there is. */
  readonly body: Buffer | null;
}

/** What a row tells beside its document. */
type Beside<Row> = Omit<Row, keyof DocumentRow>;

/**
 * Returns the row with the members of its document in place of the columns, which have only parts of them.
 * @throws `store.cannot_open`
 */
export async function openDecision<Row extends { readonly id: string }>(
  encryption: Encryption,
  row: Row & DocumentRow,
): Promise<Beside<Row> & Partial<DecisionDocument>> {
  const { body, bodyEncoding, keyId, ...beside } = row;
  if (body === null) return beside;
  const bytes = await encryption.open(
    { body, bodyEncoding, keyId },
    { column: "skedchange.decisions.document", row: row.id },
  );
  return { ...beside, ...decisionDocument.parse(JSON.parse(bytes.toString())) };
}

/** The same, or what is known without the document: a case must stay workable, so an unreadable one is no error. */
export async function openDecisionOrParts<Row extends { readonly id: string }>(
  encryption: Encryption,
  row: Row & DocumentRow,
): Promise<Beside<Row> & Partial<DecisionDocument>> {
  return await openDecision(encryption, row).catch((error: unknown) => {
    if (!isUnreadableBody(error)) throw error;
    return withoutDocument(row);
  });
}

/** What the law says is not told in part: rights that are missing would look like none. */
export function withoutDocument<Row extends object>(row: Row & DocumentRow): Beside<Row> & { readonly legal: null } {
  const { body: _, bodyEncoding: __, keyId: ___, ...beside } = row;
  return { ...beside, legal: null };
}
