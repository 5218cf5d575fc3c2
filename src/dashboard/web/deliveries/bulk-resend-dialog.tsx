import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { counted } from "../../../kernel/counted.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import type { ResendFilter } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";

export function BulkResendDialog({ filter, onClose }: { readonly filter: ResendFilter; readonly onClose: () => void }) {
  const { client, sends } = useDeliverySide();
  const [force, setForce] = useState(false);
  const preview = client.useRead("POST /replays", { body: { ...filter, preview: true } }, { gcTime: 0 });
  const start = client.useChange("POST /replays", onClose);
  const { total = 0 } = preview.data ?? {};
  // A newer event does not replace an older one.
  const afterNewer = sends === "notifications" ? (preview.data?.afterNewer ?? 0) : 0;
  return (
    <FormDialog
      title="Send all of these again"
      change={start}
      failed="The deliveries were not sent again"
      submit="Send again"
      isDisabled={total === 0}
      onSubmit={() => start.mutate({ body: { ...filter, ...(sends === "notifications" ? { force } : {}) } })}
      onClose={onClose}
    >
      {preview.isPending ? <Loading label="Counting" /> : null}
      {preview.isError ? <ErrorCallout problem={preview.error} title="The deliveries could not be counted" /> : null}
      {preview.data === undefined ? null : (
        <>
          <p>
            {counted(total, "delivery matches", "deliveries match")} the filters. Each is sent unchanged, with a new ID.
            Those that were sent again before are skipped.
          </p>
          {afterNewer === 0 ? null : (
            <Callout tone="warn" title={`${afterNewer.toLocaleString("en")} of them are not the latest of their order`}>
              Their recipients would receive an older state last. They are skipped unless you include them.
            </Callout>
          )}
          {afterNewer === 0 ? null : (
            <Checkbox
              label="Include older ones"
              checked={force}
              onChange={(event) => setForce(event.currentTarget.checked)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

export function RunningResends() {
  const { client, mayChange } = useDeliverySide();
  const resends = client.useRead("GET /replays", { query: { limit: 20 } }, { refetchInterval: 2_000 });
  const cancel = client.useChange("DELETE /replays/{id}");
  const running = resends.data?.items.filter(({ state }) => state === "running") ?? [];
  return (
    <>
      {cancel.isError ? <ErrorCallout problem={cancel.error} title="Sending again was not stopped" /> : null}
      {running.map(({ id, done, total, skipped }) => (
        <Callout
          key={id}
          tone="plain"
          title={`Sending again: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`}
        >
          {skipped === 0 ? null : <p>{skipped.toLocaleString("en")} skipped.</p>}
          {mayChange ? (
            <Button
              size="xs"
              variant="default"
              mt="xs"
              loading={cancel.isPending && cancel.variables.params.id === id}
              onClick={() => cancel.mutate({ params: { id } })}
            >
              Stop
            </Button>
          ) : null}
        </Callout>
      ))}
    </>
  );
}
