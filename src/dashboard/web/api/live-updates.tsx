import { type QueryClient, type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { eventsUrl } from "./api-client.ts";
import { connection } from "./connection.ts";

interface LiveUpdates {
  /** Whether the event stream is open. While it is not, the pages poll. */
  readonly isLive: boolean;
  /** Changes announced since the pages were opened. */
  readonly announced: number;
  /** When the last was announced, or the stream was opened after a gap; 0 if never. As of `Date.now()`. */
  readonly changedAt: number;
}

const none: LiveUpdates = { isLive: false, announced: 0, changedAt: 0 };

const LiveUpdatesContext = createContext<LiveUpdates>(none);

const pollingIntervalMs = 10_000;

/** The browser does not reopen a stream that was refused. */
const reopenAfterMs = 15_000;

/** The pages are shown after this time even if the stream is not open yet. */
const firstOpenMs = 300;

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
        if (hasRead) readAgain(queryClient, { predicate: ({ queryKey }) => queryKey[0] !== "session" });
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
        for (const name of ["cases", "notifications", "tasks", "counts", "automation"]) {
          readAgain(queryClient, { queryKey: [name] });
        }
        if (anyCase) readAgain(queryClient, { queryKey: ["case"] });
        for (const id of caseIds) readAgain(queryClient, { queryKey: ["case", id] });
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

/**
 * A read that is under way may hold what was before the change, and its response would count as fresh: where it is not
 * started anew, it is followed by another.
 */
function readAgain(queryClient: QueryClient, filters: QueryFilters): void {
  const followed = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: "fetching" })
    .filter((query) => !query.isActive() || query.state.data === undefined);
  for (const { queryKey, promise } of followed) {
    const follow = () => queryClient.invalidateQueries({ queryKey, exact: true });
    promise?.then(follow, follow);
  }
  void queryClient.invalidateQueries(filters);
}

export function useLiveUpdates(): LiveUpdates {
  return useContext(LiveUpdatesContext);
}

/** For `refetchInterval`: polls only while the event stream is closed. */
export function useFallbackInterval(): number | false {
  return useLiveUpdates().isLive ? false : pollingIntervalMs;
}
