import { Button, Menu, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange, useRead } from "../api/hooks.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { addressOf, readFilters } from "./queue-filters.ts";

interface SavedViewsProps {
  /** As they stand in the address. */
  readonly filters: string;
  readonly onShow: (filters: string) => void;
}

/** The views of the user: opens one, saves what is shown, removes one. */
export function SavedViews({ filters, onShow }: SavedViewsProps) {
  const [dialog, setDialog] = useState<"save" | "remove" | null>(null);
  const views = useRead("GET /views", {}, { staleTime: 60_000 });
  const items = views.data?.items ?? [];
  const shown = items.find((view) => addressOf(readFilters(new URLSearchParams(view.filters))) === filters);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default">{shown === undefined ? "Views" : `View: ${shown.name}`} ▾</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map((view) => (
            <Menu.Item key={view.id} aria-current={view.id === shown?.id} onClick={() => onShow(view.filters)}>
              {view.name}
            </Menu.Item>
          ))}
          {items.length === 0 ? null : <Menu.Divider />}
          <Menu.Item onClick={() => setDialog("save")}>Save these filters as a view …</Menu.Item>
          {shown === undefined ? null : (
            <Menu.Item onClick={() => setDialog("remove")}>Remove the view “{shown.name}” …</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {views.isError ? <ErrorCallout problem={views.error} onRetry={() => void views.refetch()} /> : null}
      {dialog === "save" ? (
        <SaveDialog name={shown?.name ?? ""} filters={filters} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === "remove" && shown !== undefined ? (
        <RemoveDialog id={shown.id} name={shown.name} onClose={() => setDialog(null)} />
      ) : null}
    </>
  );
}

interface SaveDialogProps {
  readonly name: string;
  readonly filters: string;
  readonly onClose: () => void;
}

function SaveDialog({ name: known, filters, onClose }: SaveDialogProps) {
  const [name, setName] = useState(known);
  const save = useChange("POST /views", onClose);
  return (
    <FormDialog
      title="Save the view"
      change={save}
      failed="The view was not saved"
      submit="Save"
      isDisabled={name.trim() === ""}
      onSubmit={() => save.mutate({ body: { name, filters } })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The filters and the order of the queue, without the search. A view with the same name is replaced."
        required
        maxLength={60}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

interface RemoveDialogProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function RemoveDialog({ id, name, onClose }: RemoveDialogProps) {
  const remove = useChange("DELETE /views/{id}", onClose);
  return (
    <FormDialog
      title={`Remove the view “${name}”`}
      change={remove}
      failed="The view was not removed"
      submit="Remove"
      hasFocus
      onSubmit={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      <p>The queue keeps showing its filters.</p>
    </FormDialog>
  );
}
