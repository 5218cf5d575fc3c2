import { Button } from "@mantine/core";
import type { EffectResult } from "../../../cases/effect.ts";
import { describeSettlement } from "../../../cases/outcome-words.ts";
import { formatMoney } from "../../../travel/money.ts";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { readText } from "../api/api-client.ts";
import { useRead } from "../api/hooks.ts";
import type { BodyDeletion, CaseView, GatewayCall } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { EffectStateBadge } from "../components/badges.tsx";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import type { RawBodySource } from "../components/raw-body.tsx";
import { useNow, When } from "../components/when.tsx";
import { formatInstant } from "../labels/moments.ts";
import { toLabel } from "../labels/state-words.ts";
import { describeRefundBasis, describeRefundCheck } from "../tasks/task-words.ts";
import { failedReads } from "./failed-reads.ts";

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

interface NotificationsPanelProps {
  readonly notifications: CaseView["notifications"];
  readonly onShow: (source: RawBodySource) => void;
}

export function NotificationsPanel({ notifications, onShow }: NotificationsPanelProps) {
  const canRead = useCanReadBodies();
  return (
    <section className="panel" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <ul className="records">
        {notifications.map(({ id, receivedAt, receipts, bodyDeleted }) => (
          <li key={id}>
            <span>
              Received <When at={receivedAt} long />
              {receipts > 1 ? <span className="quiet"> {receipts} times</span> : null}
            </span>
            {bodyDeleted !== null ? (
              <BodyDeleted deletion={bodyDeleted} />
            ) : canRead ? (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() =>
                  onShow({
                    title: "Notification as received",
                    key: ["notification", id],
                    read: () => readText(`/notifications/${id}/body`),
                  })
                }
              >
                Show raw
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {canRead ? null : (
        <p className="quiet">Raw messages contain traveller data. Only agents and above can read them.</p>
      )}
    </section>
  );
}

/** Where the button for the body would be. */
export function BodyDeleted({ deletion: { at, by } }: { readonly deletion: BodyDeletion }) {
  return (
    <span className="quiet">
      {by === "erasure" ? "Erased" : "Deleted by retention"} <When at={at} />
    </span>
  );
}

interface CallsPanelProps {
  readonly caseView: CaseView;
  readonly onShow: (source: RawBodySource) => void;
}

export function CallsPanel({ caseView, onShow }: CallsPanelProps) {
  const caseId = caseView.id;
  const failed = failedReads(caseView);
  const canRead = useCanReadBodies();
  const calls = useRead("GET /cases/{id}/calls", { params: { id: caseId } }, { enabled: canRead });
  if (!canRead && failed.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="calls">
      <h2 id="calls">Gateway responses</h2>
      {failed.length === 0 ? null : (
        <ul className="records" aria-label="Failed calls">
          {failed.map(({ at, text, advice }) => (
            <li key={at + text}>
              <span>
                <span className="badge tone-bad">Failed</span> {text}
                <br />
                <span className="quiet">
                  <When at={at} long />. {advice}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {calls.isLoading ? <Loading label="Loading" /> : null}
      {calls.isError ? <ErrorCallout problem={calls.error} onRetry={() => void calls.refetch()} /> : null}
      {calls.data?.items.length === 0 && failed.length === 0 ? <p className="quiet">None yet.</p> : null}
      <ul className="records">
        {calls.data?.items.map((call) => (
          <CallRecord key={call.id} call={call} caseId={caseId} onShow={onShow} />
        ))}
      </ul>
    </section>
  );
}

interface CallRecordProps extends Pick<CallsPanelProps, "onShow"> {
  readonly call: GatewayCall;
  readonly caseId: string;
}

function CallRecord({ call, caseId, onShow }: CallRecordProps) {
  const why = call.purpose ?? call.state ?? null;
  return (
    <li>
      <span>
        {call.operation}
        {why === null ? null : <span className="quiet"> {toLabel(why).toLowerCase()}</span>}
        <br />
        <span className="quiet">
          <When at={call.at} long />
        </span>
      </span>
      {call.bodyDeleted !== null ? (
        <BodyDeleted deletion={call.bodyDeleted} />
      ) : call.bodyBytes === null ? (
        <span className="quiet">no response</span>
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() =>
            onShow({
              title: `Response of ${call.operation}`,
              key: ["call", call.id],
              read: () => readText(`/cases/${caseId}/calls/${call.id}/body`),
            })
          }
        >
          Show raw
        </Button>
      )}
    </li>
  );
}

function useCanReadBodies(): boolean {
  return isRoleAtLeast(useSession().user.role, requiredRoles.readBodies);
}
