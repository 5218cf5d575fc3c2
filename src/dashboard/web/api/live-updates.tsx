import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { ApiTypes } from "../../api/routes.ts";
import { eventsUrl } from "./api-client.ts";
import { connection } from "./connection.ts";
import { readAgain } from "./read-again.ts";

interface LiveUpdates {
  /** Whether the event stream is open. While it is not, the pages poll more often. */
  readonly isLive: boolean;
  /** Changes announced since the pages were opened. */
  readonly announced: number;
  /** When the last was announced, or the stream was opened after a gap; 0 if never. As of `Date.now()`. */
  readonly changedAt: number;
}

const none: LiveUpdates = { isLive: false, announced: 0, changedAt: 0 };

const LiveUpdatesContext = createContext<LiveUpdates>(none);

const pollingIntervalMs = 10_000;

/** A change is announced shortly after its commit, and not at all if its process dies in between. */
const livePollingIntervalMs = 60_000;

/** The browser does not reopen a stream that was refused. */
const reopenAfterMs = 15_000;

/** The pages are shown after this time even if the stream is not open yet. */
const firstOpenMs = 300;

/** What changes with any case. */
const ofAllCases = namesOf(
  "GET /cases",
  "POST /cases/search",
  "GET /notifications",
  "GET /quarantine",
  "POST /tasks/search",
  "GET /counts",
  "GET /automation",
);
const ofOneCase = namesOf("GET /cases/{id}", "GET /cases/{id}/calls");

function namesOf(...names: readonly (keyof ApiTypes)[]): ReadonlySet<unknown> {
  return new Set(names);
}

/**
 * Reads again whatever the event stream says has changed. It shows the pages once the stream is open, because what they
 * read before would have to be read twice.
 */
export function LiveUpdatesProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const [updates, setUpdates] = useState(none);
  const [isShown, setIsShown] = useState(false);

  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasRead = false;
    const show = (): void => {
      hasRead = true;
      setIsShown(true);
    };
    const waiting = setTimeout(show, firstOpenMs);
    const open = (): void => {
      source = new EventSource(eventsUrl);
      source.addEventListener("open", () => {
        setUpdates((current) => ({ ...current, isLive: true, changedAt: Date.now() }));
        // Reads what may have changed while the stream was closed.
        if (hasRead) void readAgain(queryClient, ({ queryKey }) => queryKey[0] !== "session");
        show();
      });
      source.addEventListener("cases", ({ data }: MessageEvent<string>) => {
        const { caseIds } = JSON.parse(data) as { readonly caseIds: readonly string[] };
        // No ids means that any case may have changed.
        const anyCase = caseIds.length === 0;
        setUpdates((current) => ({
          ...current,
          announced: current.announced + (anyCase ? 1 : caseIds.length),
          changedAt: Date.now(),
        }));
        void readAgain(queryClient, ({ queryKey: [name, input] }) => {
          if (ofAllCases.has(name)) return true;
          const { params } = (input ?? {}) as { readonly params?: { readonly id?: string } };
          return ofOneCase.has(name) && (anyCase || caseIds.includes(params?.id ?? ""));
        });
      });
      source.addEventListener("error", () => {
        connection.doubt();
        setUpdates((current) => ({ ...current, isLive: false }));
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenAfterMs);
      });
    };
    open();
    return () => {
      clearTimeout(waiting);
      clearTimeout(timer);
      source.close();
    };
  }, [queryClient]);

  return <LiveUpdatesContext value={updates}>{isShown && children}</LiveUpdatesContext>;
}

export function useLiveUpdates(): LiveUpdates {
  return useContext(LiveUpdatesContext);
}

/** For `refetchInterval`. */
export function usePollingInterval(): number {
  return useLiveUpdates().isLive ? livePollingIntervalMs : pollingIntervalMs;
}
