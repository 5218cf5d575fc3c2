// The gateway calls of so many orders, some at a time, and nothing else.
import { serveCalls } from "../remote-process.ts";
import { acceptChange, type CallGateway, callByFetch, callByUndici } from "./gateway-calls.ts";

interface Loop {
  readonly first: number;
  readonly count: number;
  readonly atOnce: number;
}

let call: CallGateway;

const calls = {
  open({
    url,
    client,
    atOnce,
  }: {
    readonly url: string;
    readonly client: "fetch" | "undici";
    readonly atOnce: number;
  }) {
    call = client === "fetch" ? callByFetch(url) : callByUndici(url, atOnce);
  },

  async run({ first, count, atOnce }: Loop): Promise<void> {
    let next = first;
    const work = async (): Promise<void> => {
      while (next < first + count) await acceptChange(call, next++);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  },
};
export type LoopCalls = typeof calls;
serveCalls(calls);
