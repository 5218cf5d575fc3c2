/** In lower case without accents, with blanks between the words of `SellerFollowUp`, `seller-follow_up` and `OSIText2`. */
export const wordsIn = remembered((name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$3$4$5 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase(),
);

const rememberedLengthMax = 40;
const rememberedMax = 2_000;

/** The same short names and values come with every view of a gateway. */
export function remembered<Result>(of: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = of(text);
    if (text.length > rememberedLengthMax) return result;
    if (results.size === rememberedMax) results.clear();
    results.set(text, result);
    return result;
  };
}
