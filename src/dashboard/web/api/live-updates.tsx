import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { eventsUrl } from "./api-client.ts";

interface LiveUpdates {
  /** Whether the server announces changes at the moment; when not, pages ask by themselves. */
  readonly isLive: boolean;
  /** Changes announced since the pages were opened. */
  readonly announced: number;
}

const LiveUpdatesContext = createContext<LiveUpdates>({ isLive: false, announced: 0 });

/** How often pages ask for news while nobody announces any. */
const pollingIntervalMs = 10_000;

/** A refused stream is not opened again by the browser; after this time it is tried anew. */
const reopenAfterMs = 15_000;

/** Reads anew what the server says has changed. Events hold ids only. */
export function LiveUpdatesProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const [updates, setUpdates] = useState<LiveUpdates>({ isLive: false, announced: 0 });

  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      source = new EventSource(eventsUrl);
      source.addEventListener("open", () => {
        setUpdates((current) => ({ ...current, isLive: true }));
        // What changed while nobody announced it.
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      });
      source.addEventListener("cases", ({ data }: MessageEvent<string>) => {
        const { caseIds } = JSON.parse(data) as { readonly caseIds: readonly string[] };
        // No ids means that any case may have changed.
        const anyCase = caseIds.length === 0;
        setUpdates((current) => ({ ...current, announced: current.announced + (anyCase ? 1 : caseIds.length) }));
        void queryClient.invalidateQueries({ queryKey: ["cases"] });
        void queryClient.invalidateQueries({ queryKey: ["notifications"] });
        void queryClient.invalidateQueries({ queryKey: ["tasks"] });
        void queryClient.invalidateQueries({ queryKey: ["counts"] });
        void queryClient.invalidateQueries({ queryKey: ["automation"] });
        if (anyCase) void queryClient.invalidateQueries({ queryKey: ["case"] });
        for (const id of caseIds) void queryClient.invalidateQueries({ queryKey: ["case", id] });
      });
      source.addEventListener("error", () => {
        setUpdates((current) => ({ ...current, isLive: false }));
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenAfterMs);
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [queryClient]);

  return <LiveUpdatesContext value={updates}>{children}</LiveUpdatesContext>;
}

export function useLiveUpdates(): LiveUpdates {
  return useContext(LiveUpdatesContext);
}

/** For `refetchInterval`: asks regularly exactly while changes are not announced. */
export function useFallbackInterval(): number | false {
  return useLiveUpdates().isLive ? false : pollingIntervalMs;
}
