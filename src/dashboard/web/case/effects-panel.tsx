import type { EffectResult } from "../../../cases/effect.ts";
import { describeSettlement } from "../../../cases/outcome-words.ts";
import { formatMoney } from "../../../travel/money.ts";
import type { CaseView } from "../api/responses.ts";
import { EffectStateBadge } from "../components/badges.tsx";
import { useNow, When } from "../components/when.tsx";
import { formatInstant } from "../labels/moments.ts";
import { toLabel } from "../labels/state-words.ts";
import { describeRefundBasis, describeRefundCheck } from "../tasks/task-words.ts";

export function EffectsPanel({ effects }: { readonly effects: CaseView["effects"] }) {
  const now = useNow();
  if (effects.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="effects">
      <h2 id="effects">Accepts and cancels</h2>
      <ol className="history">
        {effects.map((effect) => (
          <li key={effect.id}>
            <p>
              <strong>{toLabel(effect.action)}</strong> for {effect.gdsBookingReferences.join(", ")}{" "}
              <EffectStateBadge effect={effect} />{" "}
              <span className="quiet">
                <When at={effect.finishedAt ?? effect.sentAt ?? effect.plannedAt} />
              </span>
            </p>
            {effect.settled === null ? null : (
              <p>{describeSettlement(effect.settled, formatInstant(new Date(effect.settled.at), now))}</p>
            )}
            {effect.error === null ? null : <p>{effect.error.message}</p>}
            {effect.settleReads === 0 ? null : (
              <p className="quiet">
                The booking was checked {effect.settleReads === 1 ? "once" : `${effect.settleReads} times`} to find the
                outcome.
              </p>
            )}
            <Results results={effect.results ?? []} />
            <Refund refund={effect.refund} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The gateway states no currency for the actual refund. */
function Refund({ refund }: { readonly refund: CaseView["effects"][number]["refund"] }) {
  if (refund === null || (refund.check === null && refund.expected === null)) return null;
  const words = refund.check === null ? null : describeRefundCheck(refund.check);
  return (
    <dl className="pairs">
      <div>
        <dt>Expected refund</dt>
        <dd>
          {refund.expected === null ? (
            <span className="quiet">unknown</span>
          ) : (
            <>
              {formatMoney(refund.expected.amount, refund.expected.currency)}{" "}
              <div className="quiet">{describeRefundBasis(refund.expected.basis)}</div>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Actual refund</dt>
        <dd>
          {refund.answered === null ? <span className="quiet">none</span> : formatMoney(refund.answered, null)}{" "}
          {words === null ? null : <span className={`badge tone-${words.tone}`}>{words.label}</span>}
        </dd>
      </div>
    </dl>
  );
}

/** The result for one reference as any version of this program stored it. */
type ReferenceResult = Partial<EffectResult>;

function Results({ results }: { readonly results: readonly unknown[] }) {
  const shown = results.filter((result): result is ReferenceResult => result !== null && typeof result === "object");
  if (shown.length === 0) return null;
  return (
    <ul className="results">
      {shown.map((result) => (
        <li key={(result.gdsBookingReferences ?? []).join()}>
          <span className="code">{(result.gdsBookingReferences ?? ["?"]).join(", ")}</span>{" "}
          {result.status ?? "no status"}
          {isText(result.refundAmount) ? (
            <>
              , refund <strong>{formatMoney(result.refundAmount, null)}</strong>
            </>
          ) : null}
          {isText(result.refundText) ? <div className="quiet">{result.refundText}</div> : null}
          {isText(result.errorMessage) ? <div>{result.errorMessage}</div> : null}
        </li>
      ))}
    </ul>
  );
}

function isText(value: string | null | undefined): value is string {
  return typeof value === "string" && value !== "";
}
