/**
 * Converts a wire key to a plain name: `OrderID` to orderId, `PTC` to ptc, `IATA_Number` to iataNumber,
 * `MaxCardsPerPaxInMFOP` to maxCardsPerPaxInMfop. Capitals in a row are one word, except for the last one before a
 * small letter.
 */
export function domainNameOf(key: string): string {
  const words = key.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+|\d+/g) ?? [key];
  return words
    .map((word, position) => {
      const small = word.toLowerCase();
      return position === 0 ? small : small.charAt(0).toUpperCase() + small.slice(1);
    })
    .join("");
}

export type DomainName<Key> = Key extends string ? Renamed<Key, "start", ""> : never;

/** Converts letter by letter; `Before` is the letter before. */
type Renamed<
  Rest extends string,
  Before extends "start" | "capital" | "small" | "break",
  Done extends string,
> = Rest extends `${infer Letter}${infer Next}`
  ? Letter extends "_"
    ? Renamed<Next, Done extends "" ? "start" : "break", Done>
    : IsCapital<Letter> extends true
      ? Before extends "start"
        ? Renamed<Next, "capital", `${Done}${Lowercase<Letter>}`>
        : Before extends "capital"
          ? BeginsSmall<Next> extends true
            ? Renamed<Next, "capital", `${Done}${Letter}`>
            : Renamed<Next, "capital", `${Done}${Lowercase<Letter>}`>
          : Renamed<Next, "capital", `${Done}${Letter}`>
      : Renamed<Next, "small", `${Done}${Before extends "break" ? Uppercase<Letter> : Letter}`>
  : Done;

type IsCapital<Letter extends string> = Letter extends Lowercase<Letter> ? false : true;

type BeginsSmall<Text extends string> = Text extends `${infer Letter}${string}`
  ? Letter extends Uppercase<Letter>
    ? false
    : true
  : false;
