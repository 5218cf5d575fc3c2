import { z } from "zod";
import { type Condition, conditionOf } from "./condition.ts";

/** Bounds the work. */
const listLengthMax = 50;

export const calendarDate = (name: string) => z.iso.date(`'${name}' must be a date such as 2026-12-31`);

const listOf = (name: string, element: z.ZodString, example: string) => {
  const error = `'${name}' must be a list of 1 to ${listLengthMax}, such as [${example}]`;
  return z.array(element, error).min(1, error).max(listLengthMax, error);
};

export const airlineList = listOf(
  "airlines",
  z.string().regex(/^[A-Z0-9]{2}$/, "an airline must be its code of two characters, such as LH"),
  "LH, UA",
);

const routePattern = /^([A-Z]{2,3}|\*)-([A-Z]{2,3}|\*)$/;

/** Where a rule applies; missing members do not matter. */
export const scopeSchema = z.strictObject(
  {
    airlines: airlineList.exactOptional(),
    sources: listOf(
      "sources",
      z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "a source must be its name, such as default"),
      "default",
    ).exactOptional(),
    routes: listOf(
      "routes",
      z.string().regex(routePattern, "a route must be two airports or countries, such as LIS-JFK, PT-US or LIS-*"),
      "LIS-JFK, PT-US",
    ).exactOptional(),
    pointsOfSale: listOf(
      "pointsOfSale",
      z.string().regex(/^[A-Z]{2}$/, "a point of sale must be a country code, such as DE"),
      "DE",
    ).exactOptional(),
    customerClasses: listOf(
      "customerClasses",
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "a customer class must be its name, such as corporate"),
      "corporate",
    ).exactOptional(),
    ticketed: z.boolean("'ticketed' must be true or false").exactOptional(),
  },
  "'scope' must hold where the rule applies: airlines, sources, routes, pointsOfSale, customerClasses, ticketed",
);

export type Scope = z.output<typeof scopeSchema>;

export const scopeKeys: readonly string[] = Object.keys(scopeSchema.shape);

export function scopeConditions(scope: Scope): Condition[] {
  const { airlines, sources, routes, pointsOfSale, customerClasses, ticketed } = scope;
  return [
    ...(airlines === undefined ? [] : [allSoldBy(airlines)]),
    ...(sources === undefined ? [] : [`source in ${listLiteral(sources)}`]),
    ...(routes === undefined ? [] : [allOnRoutes(routes)]),
    ...(pointsOfSale === undefined ? [] : [`pointOfSale in ${listLiteral(pointsOfSale)}`]),
    ...(customerClasses === undefined ? [] : [`customerClass in ${listLiteral(customerClasses)}`]),
    ...(ticketed === undefined ? [] : [ticketed ? "ticketed" : "!ticketed"]),
  ].map(conditionOf);
}

/** From the first day to the last, both inclusive, in UTC. */
export function validityConditions(from: string | undefined, until: string | undefined): Condition[] {
  return [
    ...(from === undefined ? [] : [`now >= timestamp("${from}T00:00:00Z")`]),
    ...(until === undefined ? [] : [`now < timestamp("${dayAfter(until)}T00:00:00Z")`]),
  ].map(conditionOf);
}

export function allSoldBy(airlines: readonly string[]): string {
  return `size(marketingCarriers) > 0 && marketingCarriers.all(a, a in ${listLiteral(airlines)})`;
}

/** Every booked origin and destination is one of the routes, in either direction. `routes` holds `PT/LIS-US/JFK`. */
function allOnRoutes(routes: readonly string[]): string {
  const fits = routes.flatMap((route) => {
    const [, from = "*", to = "*"] = routePattern.exec(route) ?? [];
    return [
      [from, to],
      [to, from],
    ].map(([origin = "*", destination = "*"]) => {
      const tests = [...startTest(origin), ...endTest(destination)];
      return tests.length === 0 ? "true" : tests.join(" && ");
    });
  });
  return `size(routes) > 0 && routes.all(r, ${[...new Set(fits)].map((fit) => `(${fit})`).join(" || ")})`;
}

function startTest(place: string): string[] {
  if (place === "*") return [];
  return place.length === 2 ? [`r.startsWith("${place}/")`] : [`r.contains("/${place}-")`];
}

function endTest(place: string): string[] {
  if (place === "*") return [];
  return place.length === 2 ? [`r.contains("-${place}/")`] : [`r.endsWith("/${place}")`];
}

function listLiteral(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
