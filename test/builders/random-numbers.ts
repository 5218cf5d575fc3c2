/** Numbers that look random and follow from a seed alone, so that a failing case can be made again. */
export interface RandomNumbers {
  /** 0 to `below` - 1. */
  integer(below: number): number;
  /** True in one of `times`. */
  oneIn(times: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** The generator is mulberry32. */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    oneIn: (times) => integer(times) === 0,
    pick: (choices) => choices[integer(choices.length)]!,
  };
}
