import { fork } from "node:child_process";
import { once } from "node:events";

/** What a process of a benchmark can be asked to do. */
export type Calls = Readonly<Record<string, (input: never) => unknown>>;

/** A process of a benchmark, as the one that started it sees it. */
export interface RemoteProcess<Offered extends Calls> {
  readonly pid: number;
  call<Name extends keyof Offered & string>(
    name: Name,
    ...input: Parameters<Offered[Name]>
  ): Promise<Awaited<ReturnType<Offered[Name]>>>;
  stop(): Promise<void>;
}

/** How files of this folder are run: compiled, or from TypeScript by a loader. */
export interface Programs {
  /** The file to run for a path below the root of the project, given without its ending. */
  fileOf(path: string): string;
  readonly execArgv: readonly string[];
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Responds to calls in the process that was started, until the one that started it is gone. */
export function serveCalls(calls: Calls): void {
  process.on("message", ({ id, name, input }: Question) => {
    const reply = (content: Omit<Reply, "id">): void => void process.send?.({ id, ...content });
    Promise.resolve()
      .then(() => calls[name]!(input as never))
      .then(
        (result) => reply({ result }),
        (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
  // Ctrl-C reaches the whole group; who started us stops us.
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => process.exit());
}

/** Starts a process that calls `serveCalls`. */
export async function startProcess<Offered extends Calls>(
  programs: Programs,
  path: string,
): Promise<RemoteProcess<Offered>> {
  const child = fork(programs.fileOf(path), [], { execArgv: [...programs.execArgv] });
  await once(child, "spawn");
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on("message", ({ id, result, error }: Reply) => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) caller?.resolve(result);
    else caller?.reject(new Error(`${path}: ${error}`));
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error(`${path} ended with ${String(signal ?? code)}.`));
    waiting.clear();
  });
  return {
    pid: child.pid!,
    call: (name, ...[input]) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        child.send({ id: lastId, name, input } satisfies Question, (error) => {
          if (error !== null) reject(error);
        });
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
