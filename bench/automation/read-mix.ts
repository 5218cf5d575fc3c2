import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { changeKinds } from "../../src/policy/automation-report.ts";
import type { RandomNumbers } from "../../test/builders/random-numbers.ts";

const share = z.number().positive().max(100);
const source = z.string().min(20);
const range = z.strictObject({ from: z.number().int().positive(), to: z.number().int().positive() });
const airports = z.array(z.string().regex(/^[A-Z]{3}$/)).min(1);
const flag = z.enum(["Y", "N"]);

/** Entries of which each is drawn as often as its share says; the shares are percentages and add up to 100. */
function drawnFrom<T extends z.ZodType<{ readonly share: number }>>(entry: T) {
  return z
    .array(entry)
    .min(1)
    .refine((entries) => Math.abs(sumOf(entries) - 100) < 1e-9, "must have shares that add up to 100");
}

const mixSchema = z.strictObject({
  now: z.iso.datetime(),
  changes: drawnFrom(
    z.strictObject({ kind: z.enum(changeKinds), share: share.int(), minutes: range.optional(), source }),
  ),
  retimings: z.strictObject({
    earlier: z.strictObject({ share, source }),
    otherLength: z.strictObject({ share, minutes: range, source }),
  }),
  bookings: z.strictObject({
    daysToDeparture: z.strictObject({ mean: z.number().positive(), source }),
    connecting: z.strictObject({ share, source }),
    roundTrip: z.strictObject({ share, source }),
    stayNights: range,
    ticketed: z.strictObject({ share, source }),
    assistance: z.strictObject({ share, source }),
    seats: z.strictObject({ share, source }),
    bags: z.strictObject({ share, source }),
    cabins: drawnFrom(z.strictObject({ cabin: z.enum(["Y", "W", "C"]), share })),
    parties: drawnFrom(z.strictObject({ passengers: z.array(z.enum(["ADT", "CHD", "INF"])).min(1), share })),
    routes: drawnFrom(z.strictObject({ name: z.string(), share, from: airports, to: airports })),
  }),
  flags: drawnFrom(z.strictObject({ accept: flag, cancel: flag, reSchedule: flag, share })),
});

export type Mix = z.infer<typeof mixSchema>;
export type MixedChange = Mix["changes"][number];

/** @throws ZodError when the file does not say what is needed */
export function readMix(): Mix {
  return mixSchema.parse(parse(readFileSync(new URL("./mix.yaml", import.meta.url), "utf8")));
}

/** An entry, as often as its share says. */
export function drawEntry<T extends { readonly share: number }>(random: RandomNumbers, entries: readonly T[]): T {
  let left = drawFraction(random) * sumOf(entries);
  return entries.find((entry) => (left -= entry.share) < 0) ?? entries.at(-1)!;
}

/** @param percent how often it is true */
export function drawYes(random: RandomNumbers, { share: percent }: { readonly share: number }): boolean {
  return drawFraction(random) * 100 < percent;
}

/** A whole number from one end to the other, both included, in steps. */
export function drawFrom(random: RandomNumbers, { from, to }: { from: number; to: number }, step = 1): number {
  return from + step * random.integer(Math.floor((to - from) / step) + 1);
}

/** From 0 up to 1. */
export function drawFraction(random: RandomNumbers): number {
  return random.integer(2 ** 30) / 2 ** 30;
}

function sumOf(entries: readonly { readonly share: number }[]): number {
  return entries.reduce((sum, entry) => sum + entry.share, 0);
}
