import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorNotice, Notice } from "../parts/notices.tsx";
import { type Delivery, gatewayApi } from "./gateway-api.ts";

type Replay = ReturnType<typeof useReplay>;

export function useReplay() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => gatewayApi.replay(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["deliveries"] }),
  });
}

export function ReplayButton({ delivery, replay }: { readonly delivery: Delivery; readonly replay: Replay }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send again: ${delivery.orderId}`}
      loading={replay.isPending && replay.variables === delivery.id}
      onClick={() => replay.mutate(delivery.id)}
    >
      Send again
    </Button>
  );
}

/** That the same bytes are on the way again, and whether the recipient then sees an old state last. */
export function ReplayResult({ replay }: { readonly replay: Replay }) {
  if (replay.isError) return <ErrorNotice problem={replay.error} title="It was not sent again" />;
  if (!replay.isSuccess) return null;
  const { delivery, newerNotifications: newer } = replay.data;
  if (newer === 0) {
    return (
      <Notice tone="good" title={`${delivery.orderId} is sent again`} onClose={replay.reset}>
        It waits at the end of its order, with an id of its own.
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title={`${delivery.orderId} is sent again, and is not the newest`} onClose={replay.reset}>
      {newer === 1 ? "One newer notification" : `${newer} newer notifications`} of the order exist. The recipient will
      see this older state last. Send the newest one again afterwards.
    </Notice>
  );
}
