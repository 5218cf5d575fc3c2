import { describe, expect, test } from "vitest";
import { createCheckQueue } from "../../../src/kernel/check-queue.ts";

/** Checks that a test ends itself, each with its verdict. */
function aQueue(limits: { running: number; waiting: number; waitMs?: number }) {
  const queue = createCheckQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, (isRight: boolean) => void>();
  const run = (network: string, name: string): Promise<boolean> => {
    const check = () => {
      started.push(name);
      return new Promise<boolean>((resolve) => ends.set(name, resolve));
    };
    const outcome = queue.run(network, check, Boolean);
    // What a test leaves waiting is refused after it.
    outcome.catch(() => {});
    return outcome;
  };
  const begun = () => new Promise(setImmediate);
  const end = async (name: string, isRight = false): Promise<void> => {
    await begun();
    ends.get(name)!(isRight);
    await begun();
  };
  return { queue, run, begun, end, started };
}

describe("the queue of credential checks", () => {
  test("runs as many at once as it may, and the next when one has ended", async () => {
    const { run, begun, end, started } = aQueue({ running: 2, waiting: 9 });
    const first = run("a", "1");
    void run("b", "2");
    void run("c", "3");
    await begun();
    expect(started).toEqual(["1", "2"]);

    await end("1", true);

    expect(await first).toBe(true);
    expect(started).toEqual(["1", "2", "3"]);
  });

  test("takes a network without wrong candidates before those that sent some", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9 });
    void run("flood", "wrong");
    await end("wrong");
    void run("flood", "under way");
    void run("flood", "waiting 1");
    void run("flood", "waiting 2");
    void run("other", "right");

    await end("under way");

    expect(started).toEqual(["wrong", "under way", "right"]);
  });

  test("takes a network with a right candidate before those that sent none yet", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9 });
    void run("gateway", "right");
    void run("gateway", "another secret");
    void run("stranger a", "guess a");
    void run("stranger b", "guess b");

    await end("right", true);
    await end("another secret", true);
    void run("gateway", "third secret");
    await end("guess a");

    expect(started).toEqual(["right", "another secret", "guess a", "third secret"]);
  });

  test("lets a network that guesses after a right candidate wait behind the others", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9 });
    void run("insider", "right");
    await end("right", true);
    void run("insider", "guess 1");
    void run("insider", "guess 2");
    void run("stranger", "guess 3");

    await end("guess 1");

    expect(started).toEqual(["right", "guess 1", "guess 3"]);
  });

  test("lets what waits of a network wait behind the others once one of its candidates was wrong", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9 });
    void run("flood", "under way");
    void run("flood", "waiting");
    void run("other", "right");

    await end("under way");

    expect(started).toEqual(["under way", "right"]);
  });

  test("takes networks with wrong candidates in turn, and the newest check of each", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9 });
    for (const network of ["a", "b"]) {
      void run(network, network);
      await end(network);
    }
    void run("c", "under way");
    void run("a", "a old");
    void run("a", "a new");
    void run("b", "b old");

    for (const name of ["under way", "a new", "b old"]) await end(name);

    expect(started.slice(3)).toEqual(["a new", "b old", "a old"]);
  });

  test("drops the oldest check of the network with the most, not the newcomer", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 2 });
    void run("flood", "under way");
    const oldest = run("flood", "oldest");
    void run("flood", "newer");
    void run("other", "right");

    await expect(oldest).rejects.toMatchObject({
      code: "secret.too_many_candidates",
      retryable: true,
      message: "Too many credentials are waiting to be checked. Try again shortly.",
    });
    for (const name of ["under way", "right"]) await end(name);
    expect(started).toEqual(["under way", "right", "newer"]);
  });

  test("trusts a network again whose candidate is right after a wrong one", async () => {
    const { run, end, queue, started } = aQueue({ running: 1, waiting: 9 });
    void run("gateway", "expired token");
    await end("expired token");
    expect(queue.isProven("gateway")).toBe(false);
    void run("gateway", "new token");
    await end("new token", true);
    expect(queue.isProven("gateway")).toBe(true);
    void run("stranger", "guess 1");
    void run("stranger", "guess 2");
    void run("gateway", "next");

    await end("guess 1");

    expect(started.at(-1)).toBe("next");
  });

  test("refuses what has waited too long, and goes on with the rest", async () => {
    const { run, end, started } = aQueue({ running: 1, waiting: 9, waitMs: 30 });
    void run("slow", "under way");

    await expect(run("other", "late")).rejects.toMatchObject({ code: "secret.too_many_candidates", retryable: true });
    const next = run("other", "in time");
    await end("under way");

    await end("in time", true);
    expect(await next).toBe(true);
    expect(started).toEqual(["under way", "in time"]);
  });

  test("goes on after a check that failed", async () => {
    const queue = createCheckQueue({ running: 1, waiting: 1 });
    const failing = queue.run("a", () => Promise.reject(new Error("broken")), Boolean);
    const next = queue.run("a", async () => true, Boolean);

    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe(true);
  });
});
