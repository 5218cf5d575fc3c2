import { type ChannelListener, listenToChannel } from "./channel-listener.ts";

/** Whoever makes a case due notifies this channel in the same transaction. */
export const dueChannel = "skedchange_due";

/** The same for deliveries of notifications. */
export const deliveriesDueChannel = "skedchange_deliveries_due";

/** The same for events of the agency side, which come with nearly every commit of a worker. */
export const eventsDueChannel = "skedchange_events_due";

/** A process that works on no orders notifies this channel when it has made notifications pending. */
export const pendingChannel = "skedchange_pending";

export interface DueListenerOptions {
  /** The same URL as the database's. It must not lead through a pooler in transaction mode. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** What to do when something became due somewhere, by channel; also after each reconnection, for what was missed. Must not throw. */
  readonly onDue: Readonly<Record<string, () => void>>;
  /** Told of each lost connection and each failed attempt to make a new one. */
  readonly onError: (error: unknown) => void;
}

export type DueListener = ChannelListener;

/**
 * Listens for notifications that something is due. They save the wait for the next sweep and nothing depends on them.
 *
 * @returns once it listens, or once the first attempt to connect has failed and the next one is planned.
 */
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
