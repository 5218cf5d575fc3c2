import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorNotice, Notice } from "../parts/notices.tsx";
import { type Delivery, gatewayApi } from "./gateway-api.ts";

type Resend = ReturnType<typeof useResend>;

export function useResend() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => gatewayApi.resend(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["deliveries"] }),
  });
}

export function ResendButton({ delivery, resend }: { readonly delivery: Delivery; readonly resend: Resend }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send again: ${delivery.orderId}`}
      loading={resend.isPending && resend.variables === delivery.id}
      onClick={() => resend.mutate(delivery.id)}
    >
      Send again
    </Button>
  );
}

export function ResendResult({ resend }: { readonly resend: Resend }) {
  if (resend.isError) return <ErrorNotice problem={resend.error} title="The delivery was not sent again" />;
  if (!resend.isSuccess) return null;
  const { delivery, newerNotifications: newer } = resend.data;
  if (newer === 0) {
    return (
      <Notice tone="good" title={`${delivery.orderId} is sent again`} onClose={resend.reset}>
        It is sent after the pending deliveries of its order, with a new ID.
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title={`${delivery.orderId} is sent again, but is not the latest`} onClose={resend.reset}>
      {newer === 1 ? "There is 1 newer notification" : `There are ${newer} newer notifications`} of the order. The
      recipient will receive this older state last. Send the latest one again afterwards.
    </Notice>
  );
}
