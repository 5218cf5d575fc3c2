import { type ChannelListener, listenToChannel } from "../database/channel-listener.ts";

/** Whoever changes something that people see of a case notifies this channel in the same transaction. */
export const caseChannel = "skedchange_cases";

export interface CaseListenerOptions {
  /** The same URL as the database's. It must not lead through a pooler in transaction mode. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** These cases changed; none named means that any may have changed. Must not throw. */
  readonly onChange: (caseIds: readonly string[]) => void;
  /** Told of each lost connection and each failed attempt to make a new one. */
  readonly onError: (error: unknown) => void;
}

/**
 * Listens for changes of cases, whichever process makes them.
 *
 * @returns once it listens, or once the first attempt to connect has failed and the next one is planned.
 */
export function listenForCaseChanges(options: CaseListenerOptions): Promise<ChannelListener> {
  const { url, applicationName, onChange, onError } = options;
  return listenToChannel({
    url,
    applicationName: `${applicationName} cases`,
    channels: [caseChannel],
    // Payloads are ids separated by commas, far below PostgreSQL's 8,000 bytes.
    onMessage: (payload) => onChange(payload.split(",").filter((id) => id !== "")),
    onResumed: () => onChange([]),
    onError,
  });
}
