import { describe, expect, test } from "vitest";
import { judgeAttempt, judgeCode } from "../../../../src/dashboard/people/lockout.ts";
import type { AttemptCounts } from "../../../../src/dashboard/people/ports.ts";
import type { FailureCount } from "../../../../src/kernel/failure-count.ts";

const start = new Date("2026-11-21T09:00:00Z");
const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000);
const nothingCounted: AttemptCounts = { device: null, username: null, address: null };

const unknownCaller = { deviceSucceededAt: null, isRecognised: false };

/** Tries again and again, each time as soon as that is possible, and returns how long each lock was, in seconds. */
function locksOf(attempts: number, { freshNames }: { freshNames: boolean }): number[] {
  let counts: AttemptCounts = nothingCounted;
  let now = start;
  const locks: number[] = [];
  for (let tried = 0; tried < attempts; tried += 1) {
    const verdict = judgeAttempt(freshNames ? { ...counts, device: null, username: null } : counts, unknownCaller, now);
    if (verdict.outcome === "locked") throw new Error("a try before the end of the lock");
    counts = verdict.counts;
    const ends = [counts.device, counts.username, counts.address].map(
      (count) => count?.lockedUntil?.getTime() ?? now.getTime(),
    );
    locks.push((Math.max(...ends) - now.getTime()) / 1_000);
    now = new Date(Math.max(...ends));
  }
  return locks;
}

function counted(count: Partial<FailureCount>): FailureCount {
  return { failures: 1, countedAt: start, lockedUntil: null, ...count };
}

describe("attempts to sign in", () => {
  test("are counted as failed before the password is looked at", () => {
    expect(judgeAttempt(nothingCounted, unknownCaller, start)).toEqual({
      outcome: "counted",
      counts: {
        device: { failures: 1, countedAt: start, lockedUntil: null },
        username: { failures: 1, countedAt: start, lockedUntil: null },
        address: { failures: 1, countedAt: start, lockedUntil: null },
      },
    });
  });

  test("with one user name from one network lock it there from the fifth on, for a minute and then twice as long, up to an hour", () => {
    const minutes = locksOf(13, { freshNames: false }).map((seconds) => seconds / 60);

    expect(minutes).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("from one address lock it from the twentieth on, also when each one names somebody else", () => {
    const seconds = locksOf(21, { freshNames: true });

    expect(seconds.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 0));
    expect(seconds.slice(19)).toEqual([60, 120]);
  });

  test("with one user name from many networks lock it everywhere from the hundredth on", () => {
    const before = (failures: number) => ({ ...nothingCounted, username: counted({ failures }) });

    expect(judgeAttempt(before(98), unknownCaller, start)).toMatchObject({
      counts: { username: { lockedUntil: null } },
    });
    expect(judgeAttempt(before(99), unknownCaller, start)).toMatchObject({
      counts: { username: { lockedUntil: at(60) } },
    });
  });

  test("of others do not lock a name at a network where it signed in within 30 days", () => {
    const locked = counted({ failures: 200, lockedUntil: at(60) });
    const counts = { device: null, username: locked, address: locked };
    const knownFor = (days: number) => ({ deviceSucceededAt: at(-days * 86_400), isRecognised: false });

    expect(judgeAttempt(counts, knownFor(29), start).outcome).toBe("counted");
    expect(judgeAttempt(counts, knownFor(30), start).outcome).toBe("locked");
    expect(judgeAttempt({ ...counts, device: locked }, knownFor(1), start).outcome).toBe("locked");
  });

  test("with a right password are not kept out by failures with other names at the same address, but by those with theirs", () => {
    const right = { deviceSucceededAt: null, isRecognised: true };
    const locked = counted({ failures: 200, lockedUntil: at(60) });

    expect(judgeAttempt({ ...nothingCounted, address: locked }, right, start).outcome).toBe("counted");
    expect(judgeAttempt({ ...nothingCounted, username: locked }, right, start).outcome).toBe("locked");
    expect(judgeAttempt({ ...nothingCounted, device: locked }, right, start).outcome).toBe("locked");
  });

  test("are refused until the lock ends, and count nothing meanwhile", () => {
    const counts = { ...nothingCounted, device: counted({ failures: 5, lockedUntil: at(60) }) };

    expect(judgeAttempt(counts, unknownCaller, at(59))).toEqual({ outcome: "locked", until: at(60) });
    expect(judgeAttempt(counts, unknownCaller, at(60))).toMatchObject({ outcome: "counted" });
  });

  test("wait for the later of two locks", () => {
    const counts = {
      ...nothingCounted,
      username: counted({ lockedUntil: at(60) }),
      address: counted({ lockedUntil: at(240) }),
    };

    expect(judgeAttempt(counts, unknownCaller, start)).toEqual({ outcome: "locked", until: at(240) });
  });

  test.each([
    [
      "an hour later one failure of a user name at a network is forgotten",
      { device: counted({ failures: 4 }) },
      3_600,
      4,
    ],
    ["half an hour later half of one is", { device: counted({ failures: 4 }) }, 1_800, 4.5],
    ["after days there is none left", { device: counted({ failures: 4 }) }, 7 * 86_400, 1],
    ["a clock that went back forgets nothing", { device: counted({ failures: 4 }) }, -3_600, 5],
  ])("%s", (_title, counts, seconds, failures) => {
    const verdict = judgeAttempt({ ...nothingCounted, ...counts }, unknownCaller, at(seconds));

    expect(verdict).toMatchObject({ outcome: "counted", counts: { device: { failures } } });
  });

  test("of an address are forgotten faster, one in ten minutes", () => {
    const verdict = judgeAttempt({ ...nothingCounted, address: counted({ failures: 19 }) }, unknownCaller, at(600));

    expect(verdict).toMatchObject({ counts: { address: { failures: 19, lockedUntil: null } } });
  });
});

describe("codes of a second factor", () => {
  /** Guesses for a year, and after each lock waits so long. @returns how many guesses were looked at */
  function guessesOfAYear(waitSeconds: number): number {
    let count: FailureCount | null = null;
    let seconds = 0;
    let guesses = 0;
    while (seconds < 365 * 86_400) {
      const verdict = judgeCode(count, at(seconds));
      if (verdict.outcome === "locked") throw new Error("a guess before the end of the lock");
      guesses += 1;
      const { lockedUntil }: FailureCount = verdict.count;
      count = verdict.count;
      if (lockedUntil !== null) seconds = (lockedUntil.getTime() - start.getTime()) / 1_000 + waitSeconds;
    }
    return guesses;
  }

  test.each([0, 60, 1_800, 3_600, 7_200, 86_400])(
    "are guessed less than 10,000 times in a year by who waits %i seconds after each lock",
    (waitSeconds) => {
      expect(guessesOfAYear(waitSeconds)).toBeLessThan(10_000);
    },
  );

  test("are locked for a minute after the fifth wrong one, and not before", () => {
    expect(judgeCode(counted({ failures: 3 }), start)).toMatchObject({ count: { failures: 4, lockedUntil: null } });
    expect(judgeCode(counted({ failures: 4 }), start)).toMatchObject({ count: { failures: 5, lockedUntil: at(60) } });
    expect(judgeCode(counted({ failures: 5, lockedUntil: at(60) }), at(59))).toEqual({
      outcome: "locked",
      until: at(60),
    });
  });
});
