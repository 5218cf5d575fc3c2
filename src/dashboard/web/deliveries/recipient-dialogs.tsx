import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { useChanging } from "../api/create-hooks.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import type { Recipient, RecipientInput } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";

export function useRecipientChange(id: string) {
  const { call } = useDeliverySide().client;
  return useChanging((body: RecipientInput) => call("PATCH /recipients/{id}", { params: { id }, body }));
}

export function PauseDialog({ recipient, onClose }: { readonly recipient: Recipient; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const change = useRecipientChange(recipient.id);
  const pause = (): void => {
    const given = reason.trim();
    change.mutate({ state: "paused", ...(given === "" ? {} : { reason: given }) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={`Pause ${recipient.name}`}
      change={change}
      failed="The recipient was not paused"
      submit="Pause"
      onSubmit={pause}
      onClose={onClose}
    >
      <p>Nothing is sent until it is resumed. What is new waits and uses up no attempts.</p>
      <TextInput
        label="Reason"
        description="Shown on the pages of the recipient."
        data-autofocus
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

export function RemoveDialog({ recipient, onClose }: { readonly recipient: Recipient; readonly onClose: () => void }) {
  const { client, paths } = useDeliverySide();
  const [typed, setTyped] = useState("");
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const route = { params: { id: recipient.id } };
  const remove = client.useChange(
    "DELETE /recipients/{id}",
    () => {
      queryClient.removeQueries({ queryKey: client.readOf("GET /recipients/{id}", route).queryKey });
      navigate(paths.recipients);
    },
    { isLeaving: true },
  );
  const waiting = recipient.pendingDeliveries;
  return (
    <FormDialog
      title={`Remove ${recipient.name}`}
      change={remove}
      failed="The recipient was not removed"
      submit="Remove"
      isDisabled={typed.trim() !== recipient.name}
      isDanger
      onSubmit={() => remove.mutate(route)}
      onClose={onClose}
    >
      <p>
        This can't be undone. Its credentials are deleted
        {waiting === 0
          ? "."
          : `, and its ${counted(waiting, "pending delivery is", "pending deliveries are")} never sent.`}
      </p>
      <TextInput
        label={`Type “${recipient.name}” to confirm`}
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
