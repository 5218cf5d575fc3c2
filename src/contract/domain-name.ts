/**
 * The plain name of a wire key: `OrderID` is orderId, `PTC` ptc, `IATA_Number` iataNumber, `MaxCardsPerPaxInMFOP`
 * maxCardsPerPaxInMfop. Several capitals in a row are one word, except that the last one begins the next word when a
 * small letter follows.
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

/** The type of {@link domainNameOf}. */
export type DomainName<Key> = Key extends string ? Renamed<Key, "start", ""> : never;

/** Letter by letter; `Before` says what stood before the letter. */
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
