/** What is known while the server does not answer. */
export interface Outage {
  /** When it answered last: what the pages show is from then. */
  readonly lastAnswerAt: Date;
}

const askEveryMs = 3_000;

/**
 * Whether the server can be reached. The browser does not know: it counts as online beside a server that is down. So when
 * something makes it doubtful, the server is asked, again and again until it answers.
 *
 * @param isAnswering asks the server. Never rejects.
 */
export function createConnection(isAnswering: () => Promise<boolean>, everyMs = askEveryMs) {
  const listeners = new Set<() => void>();
  let outage: Outage | null = null;
  let answeredAt = new Date();
  let isAsking = false;

  function become(next: Outage | null): void {
    if ((next === null) === (outage === null)) return;
    outage = next;
    for (const listener of listeners) listener();
  }

  function noteAnswer(): void {
    answeredAt = new Date();
    become(null);
  }

  async function doubt(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    while (!(await isAnswering())) {
      become({ lastAnswerAt: answeredAt });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    isAsking = false;
    noteAnswer();
  }

  return {
    /** Null while the server answers. */
    outage: (): Outage | null => outage,
    noteAnswer,
    /** A request got no response, or the event stream has ended. */
    doubt: (): void => void doubt(),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const answerMs = 5_000;

/** The connection of this page to its server. */
export const connection = createConnection(async () => {
  try {
    return (await fetch("/healthz", { signal: AbortSignal.timeout(answerMs) })).ok;
  } catch {
    return false;
  }
});

/** A proxy answers so for a server that does not. */
export const statusesOfProxies: ReadonlySet<number> = new Set([502, 504]);
