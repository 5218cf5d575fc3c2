/** Limits a process's concurrent attempts; slow recipients take no room from others. */
export interface AttemptRoom {
  free(): { readonly attempts: number; readonly retries: number };
  /** Returns a function to call once when the recipient has responded. */
  enter(isRetry: boolean): () => void;
}

export interface RoomSettings {
  /** Without the slow ones. */
  readonly concurrentAttemptsMax: number;
  /** The largest share for retries, so that first attempts find room. */
  readonly retriesShare: number;
  /** A slower attempt frees its room and only costs a connection. */
  readonly slowAfterMs: number;
  /** Further slow attempts keep their room. */
  readonly concurrentSlowAttemptsMax: number;
}

/** @param onRoom called when a slow attempt frees its room */
export function createAttemptRoom(settings: RoomSettings, onRoom: () => void): AttemptRoom {
  const { concurrentAttemptsMax, retriesShare, slowAfterMs, concurrentSlowAttemptsMax } = settings;
  const retriesMax = Math.max(Math.floor(concurrentAttemptsMax * retriesShare), 1);
  let [attempts, retries, slow] = [0, 0, 0];

  return {
    free: () => ({
      attempts: Math.max(concurrentAttemptsMax - attempts, 0),
      retries: Math.max(retriesMax - retries, 0),
    }),

    enter(isRetry) {
      let isSlow = false;
      attempts += 1;
      if (isRetry) retries += 1;
      const leave = (): void => {
        attempts -= 1;
        if (isRetry) retries -= 1;
      };
      const timer = setTimeout(() => {
        if (slow >= concurrentSlowAttemptsMax) return;
        isSlow = true;
        slow += 1;
        leave();
        onRoom();
      }, slowAfterMs);
      return () => {
        clearTimeout(timer);
        if (isSlow) slow -= 1;
        else leave();
      };
    },
  };
}
