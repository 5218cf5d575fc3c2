import { Button } from "@mantine/core";
import { Link } from "wouter";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import type { Delivery } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { isRecipientRemoved } from "./delivery-words.ts";

type Resend = ReturnType<typeof useResend>;

export function useResend() {
  return useDeliverySide().client.useChange("POST /deliveries/{id}/replay");
}

/** For a delivery that has ended, if the user may send it again and somebody needs it. */
export function ResendButton({ delivery, resend }: { readonly delivery: Delivery; readonly resend: Resend }) {
  const { mayChange } = useDeliverySide();
  const isPointless = delivery.state === "superseded" || isRecipientRemoved(delivery);
  if (!mayChange || delivery.state === "pending" || isPointless) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send again: ${delivery.orderId}`}
      loading={resend.isPending && resend.variables.params.id === delivery.id}
      onClick={() => resend.mutate({ params: { id: delivery.id } })}
    >
      Send again
    </Button>
  );
}

export function ResendResult({ resend }: { readonly resend: Resend }) {
  const { paths, sends } = useDeliverySide();
  if (resend.isError) return <ErrorCallout problem={resend.error} title="The delivery was not sent again" />;
  if (!resend.isSuccess) return null;
  const { delivery, newerNotifications: newer } = resend.data;
  if (sends === "events") {
    return (
      <Callout tone="good" title={`${delivery.orderId} is sent again`} onClose={resend.reset}>
        It is sent after the pending events of its order. The event in it keeps its ID, so the recipient recognises the
        repetition.
      </Callout>
    );
  }
  if (newer === 0) {
    return (
      <Callout tone="good" title={`${delivery.orderId} is sent again`} onClose={resend.reset}>
        It is sent after the pending deliveries of its order, with a new ID:{" "}
        <Link href={`${paths.deliveries}/${delivery.id}`}>open the new delivery</Link>.
      </Callout>
    );
  }
  return (
    <Callout tone="warn" title={`${delivery.orderId} is sent again, but is not the latest`} onClose={resend.reset}>
      {newer === 1 ? "There is 1 newer notification" : `There are ${newer} newer notifications`} of the order. The
      recipient will receive this older state last. Send the latest one again afterwards.
    </Callout>
  );
}
