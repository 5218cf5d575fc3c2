import { type ChannelListener, listenToChannel } from "../database/channel-listener.ts";

/** Whoever changes what people see of a case notifies this channel: with the change, or within some 100 ms after it. */
export const caseChannel = "skedchange_cases";

export interface CaseListenerOptions {
  /** The database's URL. It must not lead through a pooler in transaction mode. */
  readonly url: string;
  readonly applicationName: string;
  /** Called with the changed cases; an empty list means that any may have changed. Must not throw. */
  readonly onChange: (caseIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Resolves once it listens, or once the first connection has failed and the next attempt is planned. */
export function listenForCaseChanges(options: CaseListenerOptions): Promise<ChannelListener> {
  const { url, applicationName, onChange, onError } = options;
  return listenToChannel({
    url,
    applicationName: `${applicationName} cases`,
    channels: [caseChannel],
    // Payloads are ids separated by commas, far below PostgreSQL's limit of 8,000 bytes.
    onMessage: (payload) => onChange(payload.split(",").filter((id) => id !== "")),
    onResumed: () => onChange([]),
    onError,
  });
}
