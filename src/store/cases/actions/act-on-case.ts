import type { ActionTerms } from "../../../cases/action-change.ts";
import { applyAction } from "../../../cases/apply-action.ts";
import type { CaseAction, CaseActionOutcome } from "../../../cases/case-command.ts";
import { nameToken } from "../../audit/audit-actor.ts";
import type { Encryption } from "../../database/encryption.ts";
import type { Connection } from "../../database/transaction.ts";
import { encryptNote } from "../notes.ts";
import { lockActionContext } from "./lock-action-context.ts";
import { saveAction } from "./save-action.ts";

/** Acts on the case as locked: the second of two concurrent actors gets the case as the first one left it. */
export async function actOnCase(
  transaction: Connection,
  encryption: Encryption,
  action: CaseAction,
  terms: ActionTerms,
  traceparent: string | null = null,
): Promise<CaseActionOutcome> {
  const note = await encryptNote(encryption, action.note);
  await nameToken(transaction, action.tokenId);
  return await act(transaction, encryption, { ...action, note }, terms, traceparent);
}

async function act(
  transaction: Connection,
  encryption: Encryption,
  action: CaseAction,
  terms: ActionTerms,
  traceparent: string | null,
): Promise<CaseActionOutcome> {
  const known = await lockActionContext(transaction, encryption, action);
  if (known === null) return { outcome: "not-found" };
  const { outcome, change } = applyAction(known, action, terms);
  if (change === null) return outcome;
  const saved = await saveAction(
    transaction,
    encryption,
    known,
    { actor: action.actor, note: action.note, at: terms.at, traceparent },
    change,
  );
  return saved === "overtaken" ? await act(transaction, encryption, action, terms, traceparent) : outcome;
}
