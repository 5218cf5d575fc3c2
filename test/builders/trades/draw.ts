import { type RandomNumbers, randomNumbers } from "../random-numbers.ts";

/** Values as other systems have them, each different from order to order; they follow from a seed alone. */
export interface Draw extends RandomNumbers {
  /** Position of the order, from 0. */
  readonly order: number;
  /** `KQBX`: capital letters, as of an agent's sign-in. */
  letters(length: number): string;
  digits(length: number): string;
  /** `MSKU-4711382`. */
  id(prefix: string): string;
  uuid(): string;
  amount(): string;
  date(): string;
  time(): string;
  dateTime(): string;
  bool(): boolean;
}

export function drawFor(seed: number, order: number): Draw {
  const random = randomNumbers(seed * 1_000 + order);
  const { integer, oneIn } = random;
  const row = (length: number, from: string): string =>
    Array.from({ length }, () => from[integer(from.length)]).join("");
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = (): string => `2027-${two(1 + integer(12))}-${two(1 + integer(28))}`;
  const time = (): string => `${two(integer(24))}:${two(integer(60))}`;
  return {
    ...random,
    order,
    letters: (length) => row(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    digits: (length) => `${1 + integer(9)}${row(length - 1, "0123456789")}`,
    id: (prefix) => `${prefix}-${row(7, "0123456789")}`,
    uuid: () => [8, 4, 4, 4, 12].map((length) => row(length, "0123456789abcdef")).join("-"),
    amount: () => `${integer(900)}.${two(integer(100))}`,
    date,
    time,
    dateTime: () => `${date()}T${time()}:00Z`,
    bool: () => oneIn(2),
  };
}
