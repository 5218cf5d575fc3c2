/** A number with its noun: `1 case`, `1,200 cases`. @param many Default: the noun with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
