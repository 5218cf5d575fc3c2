import {
  type QueryClient,
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiProblem } from "./send-request.ts";

/** The query of the session, and its value when nobody is signed in. */
export interface SessionQuery {
  readonly key: QueryKey;
  readonly none: unknown;
}

/** The next user of this screen must not see what this one has read. */
export function forgetSession(queryClient: QueryClient, { key, none }: SessionQuery): void {
  queryClient.setQueryData(key, none);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] });
}

/** Nothing is forgotten if the server could not end the session: the user is then still signed in. */
export function useSignOut(
  signOut: () => Promise<unknown>,
  session: SessionQuery,
): UseMutationResult<unknown, Error, void> {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => forgetSession(queryClient, session) });
}

/** A session ends by time, on the server, or with the process. The first request that gets a 401 then leads to the sign-in. */
export function useSignOutWhenRefused(session: SessionQuery): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const leave = (error: unknown): void => {
      const isSignedIn = ![undefined, session.none].includes(queryClient.getQueryData(session.key));
      if (isSignedIn && isRefused(error)) forgetSession(queryClient, session);
    };
    const stops = [
      queryClient.getQueryCache().subscribe(({ query, type }) => type === "updated" && leave(query.state.error)),
      queryClient
        .getMutationCache()
        .subscribe(({ mutation, type }) => type === "updated" && leave(mutation.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queryClient, session]);
}

/** Reads the session, if there is one. */
export async function readUnlessRefused<Session, None>(
  read: () => Promise<Session>,
  none: None,
): Promise<Session | None> {
  try {
    return await read();
  } catch (error) {
    if (isRefused(error)) return none;
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
