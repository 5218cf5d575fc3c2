import { Button } from "@mantine/core";
import { readText } from "../api/api-client.ts";
import { useRead } from "../api/hooks.ts";
import type { CaseView, GatewayCall } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { BodyDeleted } from "../components/body-deleted.tsx";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import type { RawBodySource } from "../components/raw-body.tsx";
import { When } from "../components/when.tsx";
import { toLabel } from "../labels/state-words.ts";
import { failedReads } from "./failed-reads.ts";

interface CallsPanelProps {
  readonly caseView: CaseView;
  readonly onShow: (source: RawBodySource) => void;
}

export function CallsPanel({ caseView, onShow }: CallsPanelProps) {
  const caseId = caseView.id;
  const failed = failedReads(caseView);
  const canRead = useMay("readBodies");
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
