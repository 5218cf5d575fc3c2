import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { ErrorNotice } from "../parts/notices.tsx";
import { gatewayApi, type Recipient, type RecipientInput } from "./gateway-api.ts";

export function useChange(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: RecipientInput) => gatewayApi.changeRecipient(id, input),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["recipients"] }),
  });
}

export function PauseDialog({ recipient, onClose }: { readonly recipient: Recipient; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const change = useChange(recipient.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const rejection = reason.trim();
    change.mutate({ state: "paused", ...(rejection === "" ? {} : { reason: rejection }) }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={`Pause ${recipient.name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <form className="form" onSubmit={submit}>
        {change.isError ? <ErrorNotice problem={change.error} title="The recipient was not paused" /> : null}
        <p>Nothing is sent until it is resumed. New notifications wait and use up no attempts.</p>
        <TextInput
          label="Reason"
          description="Shown on the pages of the recipient."
          data-autofocus
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Pause
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

export function RemoveDialog({ recipient, onClose }: { readonly recipient: Recipient; readonly onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => gatewayApi.removeRecipient(recipient.id),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ["recipients", recipient.id] });
      navigate("/");
      return queryClient.invalidateQueries();
    },
  });
  const isConfirmed = typed.trim() === recipient.name;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed) remove.mutate();
  };
  const waiting = recipient.pendingDeliveries;
  return (
    <Modal opened onClose={onClose} title={`Remove ${recipient.name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <form className="form" onSubmit={submit}>
        {remove.isError ? <ErrorNotice problem={remove.error} title="The recipient was not removed" /> : null}
        <p>
          This can't be undone. Its credentials are deleted
          {waiting === 0
            ? "."
            : `, and its ${waiting} pending ${waiting === 1 ? "delivery is" : "deliveries are"} never sent.`}
        </p>
        <TextInput
          label={`Type “${recipient.name}” to confirm`}
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" className="danger-filled" disabled={!isConfirmed} loading={remove.isPending}>
            Remove
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
