import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { KeysButton } from "../commands/command-button.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { formatInstantLong, parseInstant } from "../labels/moments.ts";
import { type RecipientsById, refreshMs, useRecipientsById } from "./all-recipients.ts";
import { BulkResendDialog, RunningResends } from "./bulk-resend-dialog.tsx";
import type { Delivery, DeliveryFilters, ResendFilter } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { DeliveryTable, shortId } from "./delivery-table.tsx";
import { deliveryStateWords } from "./delivery-words.ts";
import { useListKeys, useSearchKeys } from "./list-keys.ts";

/** The search is sent after this pause in typing. */
const typingPauseMs = 300;

/** Newest first. The filters are kept in the URL. */
export function DeliveriesPage() {
  const { client, brand, headings, mayChange, sends } = useDeliverySide();
  const [parameters, setParameters] = useSearchParams();
  const read = (name: string): string => parameters.get(name) ?? "";
  const filters: DeliveryFilters = {
    state: read("state"),
    orderId: read("order"),
    recipientId: read("recipient"),
    since: parseInstant(read("since"))?.toISOString() ?? "",
  };
  useListKeys();
  const [isResending, setIsResending] = useState(false);
  const [orderId] = useDebouncedValue(filters.orderId.trim(), typingPauseMs);
  const asked = { ...filters, orderId: orderId === "" ? "" : `${orderId}*` };
  const deliveries = client.useList(
    "GET /deliveries",
    { query: { ...asked, limit: 50 } },
    { refetchInterval: refreshMs },
  );
  const recipients = useRecipientsById();
  const search = useSearchKeys(filters.orderId.trim() === orderId && !deliveries.isPlaceholderData);
  const set = (name: string, value: string): void =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isFiltered = Object.values(filters).some((value) => value !== "");
  const resendFilter = resendFilterOf(asked);
  return (
    <>
      <title>{`${headings.deliveries} · ${brand}`}</title>
      <div className="page-head">
        <h1>{headings.deliveries}</h1>
        <KeysButton />
        {!mayChange ? null : resendFilter === null ? (
          <p className="quiet">
            To send many again, filter by <em>Dead</em> or <em>Delivered</em>.
          </p>
        ) : (
          <Button
            variant="default"
            disabled={deliveries.data?.pages[0]?.items.length === 0}
            onClick={() => setIsResending(true)}
          >
            Send all of these again …
          </Button>
        )}
      </div>
      <RunningResends />
      <div className="filters">
        <TextInput
          {...search}
          type="search"
          aria-label="Order"
          placeholder="Beginning of the order ID"
          value={filters.orderId}
          onChange={(event) => set("order", event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="State"
          data={[
            { value: "", label: "All states" },
            ...Object.entries(deliveryStateWords)
              .filter(([value]) => sends === "notifications" || value !== "superseded")
              .map(([value, { label }]) => ({ value, label })),
          ]}
          value={filters.state}
          onChange={(event) => set("state", event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="Recipient"
          data={[{ value: "", label: "All recipients" }, ...recipientOptions(recipients, filters.recipientId)]}
          value={filters.recipientId}
          onChange={(event) => set("recipient", event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="Announced"
          data={sinceOptions(filters.since)}
          value={filters.since}
          onChange={(event) => set("since", event.currentTarget.value)}
        />
      </div>
      <PagedList<Delivery>
        list={deliveries}
        empty={
          isFiltered
            ? {
                title: "No deliveries match these filters",
                text: (
                  <Button variant="default" onClick={() => setParameters({})}>
                    Show all deliveries
                  </Button>
                ),
              }
            : {
                title: "No deliveries yet",
                text: `A delivery appears here when ${sends === "notifications" ? "an airline announces a change" : "something happens to a case"} and there is a recipient for it.`,
              }
        }
      >
        {(items) => <DeliveryTable items={items} recipients={recipients} caption="Deliveries" isGrouped />}
      </PagedList>
      {isResending && resendFilter !== null ? (
        <BulkResendDialog filter={resendFilter} onClose={() => setIsResending(false)} />
      ) : null}
    </>
  );
}

/** Null unless the deliveries of the state are worth it: pending ones are sent anyway, superseded ones are replaced. */
function resendFilterOf({ state, orderId, recipientId, since }: DeliveryFilters): ResendFilter | null {
  if (state !== "delivered" && state !== "dead") return null;
  return {
    state,
    ...(orderId === "" ? {} : { orderId }),
    ...(recipientId === "" ? {} : { recipientId }),
    ...(since === "" ? {} : { since }),
  };
}

const hour = 3_600_000;

/** Instants, so that the URL means the same tomorrow. Whole hours, so that the selected option stays in the list. */
function sinceOptions(chosen: string) {
  const thisHour = Math.floor(Date.now() / hour) * hour;
  const options = [
    { value: "", label: "Any time" },
    { value: new Date(thisHour - hour).toISOString(), label: "Last 1 to 2 hours" },
    { value: new Date(thisHour - 24 * hour).toISOString(), label: "Last 24 hours" },
    { value: new Date(thisHour - 7 * 24 * hour).toISOString(), label: "Last 7 days" },
  ];
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: `Since ${formatInstantLong(new Date(chosen))}` }];
}

function recipientOptions(recipients: RecipientsById, chosen: string) {
  const known = [...recipients.values()].map(({ id, name }) => ({ value: id, label: name }));
  return chosen === "" || recipients.has(chosen) ? known : [...known, { value: chosen, label: shortId(chosen) }];
}
