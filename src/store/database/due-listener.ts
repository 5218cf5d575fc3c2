import { type ChannelListener, listenToChannel } from "./channel-listener.ts";

/** Every transaction that makes a case due notifies this channel. */
export const dueChannel = "skedchange_due";

export const deliveriesDueChannel = "skedchange_deliveries_due";

/** For events of the agency side that are sent again. What is new is announced with the change of its case. */
export const eventsDueChannel = "skedchange_events_due";

/** A process without worker notifies this channel when it has made notifications pending. */
export const pendingChannel = "skedchange_pending";

export interface DueListenerOptions {
  /** The database's URL. It must not lead through a pooler in transaction mode. */
  readonly url: string;
  readonly applicationName: string;
  /** Called per channel when something is due, and after each reconnection. Must not throw. */
  readonly onDue: Readonly<Record<string, () => void>>;
  readonly onError: (error: unknown) => void;
}

export type DueListener = ChannelListener;

/** Only saves waiting for the next poll. Resolves once it listens, or once the first connection has failed. */
export function listenForDue({ url, applicationName, onDue, onError }: DueListenerOptions): Promise<DueListener> {
  return listenToChannel({
    url,
    applicationName: `${applicationName} due`,
    channels: Object.keys(onDue),
    onMessage: (_payload, channel) => onDue[channel]?.(),
    onResumed: () => {
      for (const look of Object.values(onDue)) look();
    },
    onError,
  });
}
