/** Computes once for each object what follows from it alone, and forgets it with the object. */
export function rememberedFor<Key extends object, Result extends {}>(of: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = of(key);
    results.set(key, result);
    return result;
  };
}
