/** What is known while the server does not respond. */
export interface Outage {
  /** When it responded last: what the pages show is from then. */
  readonly lastResponseAt: Date;
}

const askEveryMs = 3_000;

/**
 * Whether the server can be reached. The browser does not know: it counts as online beside a server that is down. So when
 * something makes it doubtful, the server is asked, again and again until it responds.
 *
 * @param isResponding asks the server. Never rejects.
 */
export function createConnection(isResponding: () => Promise<boolean>, everyMs = askEveryMs) {
  const listeners = new Set<() => void>();
  let outage: Outage | null = null;
  let respondedAt = new Date();
  let isAsking = false;

  function become(next: Outage | null): void {
    if ((next === null) === (outage === null)) return;
    outage = next;
    for (const listener of listeners) listener();
  }

  function noteResponse(): void {
    respondedAt = new Date();
    become(null);
  }

  async function doubt(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    while (!(await isResponding())) {
      become({ lastResponseAt: respondedAt });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    isAsking = false;
    noteResponse();
  }

  return {
    /** Null while the server responds. */
    outage: (): Outage | null => outage,
    noteResponse,
    /** A request got no response, or the event stream has ended. */
    doubt: (): void => void doubt(),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const responseMs = 5_000;

/** The connection of this page to its server. */
export const connection = createConnection(async () => {
  try {
    return (await fetch("/healthz", { signal: AbortSignal.timeout(responseMs) })).ok;
  } catch {
    return false;
  }
});

/** A proxy responds so for a server that does not. */
export const statusesOfProxies: ReadonlySet<number> = new Set([502, 504]);
