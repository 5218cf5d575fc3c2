/**
 * JSON texts that hurt careless readers: deeper than a stack, longer than any field, or of the form that makes a regular
 * expression try everything. All are below 2 MB, as much as a receiver takes by default.
 */
const monstrousContainers = {
  "a list nested 20,000 deep": "[".repeat(20_000) + "]".repeat(20_000),
  "an object nested 20,000 deep": `${'{"Order":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  "an object of 10,000 keys": `{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
  "a list of 10,000 objects": `[${Array.from({ length: 10_000 }, () => "{}").join(",")}]`,
};

const monstrousLeaves = {
  "a text of 300,000 letters": `"${"A".repeat(300_000)}"`,
  "a text of 200,000 blanks": `"x${" ".repeat(200_000)}x"`,
  "a number of 100,000 digits": `1${"0".repeat(100_000)}1`,
  "a fraction of 100,000 digits": `0.${"0".repeat(100_000)}1`,
  "a text of 100,000 digits": `"1${"0".repeat(100_000)}x"`,
  "a text of 100,000 separators": `"${", ".repeat(100_000)}x"`,
  "a text of 100,000 beginnings of times": `"${"T1".repeat(100_000)}\\n1"`,
  "a text of 30,000 half characters": `"${"\\ud800".repeat(30_000)}"`,
  "a text of 20,000 references": `"${Array.from({ length: 20_000 }, (_, i) => `S${i}`).join(" ")}"`,
};

export const monstrousValues: Readonly<Record<string, string>> = { ...monstrousContainers, ...monstrousLeaves };

/** The bodies in which a value stands in the place of each part of a body, elements of a list standing for each other. */
export function bodiesWithMonster(
  name: string,
  body: unknown,
): readonly { readonly path: string; readonly text: string }[] {
  const isForContainers = name in monstrousContainers;
  const paths = new Map<string, readonly string[]>();
  const visit = (value: unknown, path: readonly string[]): void => {
    const isContainer = typeof value === "object" && value !== null;
    if (isContainer === isForContainers) paths.set(path.map((key) => (/^\d+$/.test(key) ? "*" : key)).join("/"), path);
    if (isContainer) for (const [key, part] of Object.entries(value)) visit(part, [...path, key]);
  };
  visit(body, []);
  return [...paths].map(([at, path]) => ({
    path: `/${at}`,
    text: JSON.stringify(withMark(body, path)).replace(`"${mark}"`, () => monstrousValues[name]!),
  }));
}

const mark = "@monster";

function withMark(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return mark;
  const changed = withMark((value as Record<string, unknown>)[key], rest);
  if (Array.isArray(value)) return value.with(Number(key), changed);
  return { ...(value as object), [key]: changed };
}
