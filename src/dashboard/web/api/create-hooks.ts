import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { CallOf } from "../../../http/call-route.ts";
import type { CallRoute, Routes } from "./create-call.ts";
import { readAgain } from "./read-again.ts";
import { ApiProblem, safeToRepeat } from "./send-request.ts";

type ReadOptions<Response> = Partial<
  Pick<UseQueryOptions<Response>, "enabled" | "gcTime" | "placeholderData" | "refetchInterval" | "staleTime">
>;

interface ListOptions<Page> {
  readonly refetchInterval?: number | false | ((pages: readonly Page[]) => number);
  /** What was shown is gone while other filters are read. */
  readonly forgetsShown?: boolean;
}

/**
 * Reads and changes through the cache of the pages. What is read is kept under the route and its input, and may be sent
 * twice. After any change all that is shown is read again.
 */
export function createHooks<Types extends Routes<Types>>(call: CallRoute<Types>) {
  type ResponseOf<Name extends keyof Types> = Types[Name]["response"];

  /** The key of what is read, and how. */
  function readOf<Name extends keyof Types & string>(name: Name, input: CallOf<Types[Name]>) {
    return { queryKey: [name, input] as const, queryFn: () => call(name, input, safeToRepeat) };
  }

  function useRead<Name extends keyof Types & string>(
    name: Name,
    input: CallOf<Types[Name]>,
    options: ReadOptions<ResponseOf<Name>> = {},
  ): UseQueryResult<ResponseOf<Name>> {
    const { queryKey, queryFn } = readOf(name, input);
    return useQuery<ResponseOf<Name>>({ queryKey, queryFn, ...options });
  }

  /** A list that is read page by page. */
  function useList<Name extends keyof Types & string>(
    name: Name,
    input: CallOf<Types[Name]>,
    { refetchInterval = false, forgetsShown = false }: ListOptions<ResponseOf<Name>> = {},
  ): UseInfiniteQueryResult<InfiniteData<ResponseOf<Name>, string | null>> {
    return useInfiniteQuery({
      queryKey: [name, input, "pages"],
      queryFn: ({ pageParam }) => call(name, withCursor(name, input, pageParam), safeToRepeat),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => (last as { readonly nextCursor: string | null }).nextCursor,
      ...(forgetsShown ? {} : { placeholderData: keepPreviousData }),
      refetchInterval:
        typeof refetchInterval === "function"
          ? ({ state }) => refetchInterval(state.data?.pages ?? [])
          : refetchInterval,
    });
  }

  function useChange<Name extends keyof Types & string>(
    name: Name,
    onDone?: (response: ResponseOf<Name>, input: CallOf<Types[Name]>) => unknown,
    options?: ChangeOptions,
  ): UseMutationResult<ResponseOf<Name>, Error, CallOf<Types[Name]>> {
    return useChanging((input: CallOf<Types[Name]>) => call(name, input), onDone, options);
  }

  return { readOf, useRead, useList, useChange };
}

function withCursor<Input>(name: string, input: Input, cursor: string | null): Input {
  if (cursor === null) return input;
  const place = name.startsWith("GET ") ? "query" : "body";
  return { ...input, [place]: { ...(input as Readonly<Record<string, object>>)[place], cursor } };
}

interface ChangeOptions {
  /** Another page is shown once it is done, so that this one is not waited for. */
  readonly isLeaving?: boolean;
  /** The input is a secret, so it is not kept. */
  readonly isSecret?: boolean;
}

/** A change by one request or several. All that is shown is read again before it counts as done. */
export function useChanging<Input, Result>(
  change: (input: Input) => Promise<Result>,
  onDone?: (result: Result, input: Input) => unknown,
  { isLeaving = false, isSecret = false }: ChangeOptions = {},
): UseMutationResult<Result, Error, Input> {
  const queryClient = useQueryClient();
  const readShown = () => readAgain(queryClient, ({ queryKey }) => queryKey[0] !== "session");
  return useMutation({
    mutationFn: change,
    onSuccess: async (result, input) => {
      if (!isLeaving) await readShown();
      await onDone?.(result, input);
      if (isLeaving) void readShown();
    },
    onError: async (problem) => {
      if (mayHaveChanged(problem)) await readShown();
    },
    ...(isSecret ? { gcTime: 0 } : {}),
  });
}

/** By this request, or by somebody else, which is why it was refused. */
function mayHaveChanged(problem: Error): boolean {
  return !(problem instanceof ApiProblem) || problem.status !== 0 || problem.isOutcomeUnknown;
}
