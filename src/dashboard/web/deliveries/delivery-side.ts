import { type ComponentType, createContext, useContext } from "react";
import type { DeliveryTypes } from "../../../sender/delivery-types.ts";
import { createCall } from "../api/create-call.ts";
import { createHooks } from "../api/create-hooks.ts";
import type { SendToSide } from "../api/send-request.ts";
import type { Recipient } from "./delivery-api.ts";

/** What differs between the pages of the gateway, which sends notifications, and those of the agency, which sends events. */
export interface DeliverySide {
  readonly sends: "notifications" | "events";
  readonly client: ReturnType<typeof createDeliveryClient>;
  /** In the titles of its pages. */
  readonly brand: string;
  readonly headings: { readonly recipients: string; readonly deliveries: string };
  readonly words: {
    /** What limits a recipient to some of what is sent. */
    readonly scope: string;
    /** In the place of an empty list of recipients. */
    readonly noRecipients: (mayChange: boolean) => string;
  };
  /** Where its pages are: `${recipients}/{id}`, `${deliveries}/{id}`. */
  readonly paths: { readonly recipients: string; readonly deliveries: string };
  /** Whether the user may do more than read. */
  readonly mayChange: boolean;
  /** The body of a delivery; absent if the side does not show it. */
  readonly readBody?: (deliveryId: string) => Promise<string>;
  /** Above the list of recipients. */
  readonly RecipientsCallout?: ComponentType;
  /** Below the settings of a recipient. */
  readonly RecipientPanel?: ComponentType<RecipientPanelProps>;
}

export interface RecipientPanelProps {
  readonly recipient: Recipient;
  readonly onDone: (message: string) => void;
}

export function createDeliveryClient(send: SendToSide) {
  const call = createCall<DeliveryTypes>(send);
  return { call, ...createHooks(call) };
}

export const DeliverySideContext = createContext<DeliverySide | null>(null);

export function useDeliverySide(): DeliverySide {
  const side = useContext(DeliverySideContext);
  if (side === null) throw new Error("useDeliverySide is used outside the pages of recipients and deliveries");
  return side;
}
