/** Licences that ask for no more than a notice. What is passed on under another one must be decided on first. */
const allowedLicences: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
]);

/**
 * Whether an SPDX expression allows us to pass a package on: one side of each OR and both sides of each AND are on the
 * list. Anything else, such as `SEE LICENSE IN …`, is not allowed.
 */
export function isAllowedLicence(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  function readOr(): boolean {
    let allowed = readAnd();
    while (tokens[at] === "OR") {
      at += 1;
      allowed = readAnd() || allowed;
    }
    return allowed;
  }

  function readAnd(): boolean {
    let allowed = readOne();
    while (tokens[at] === "AND") {
      at += 1;
      allowed = readOne() && allowed;
    }
    return allowed;
  }

  function readOne(): boolean {
    const token = tokens[at] ?? "";
    at += 1;
    if (token !== "(") return allowedLicences.has(token);
    const allowed = readOr();
    const isClosed = tokens[at] === ")";
    at += 1;
    return allowed && isClosed;
  }

  return readOr() && at === tokens.length;
}
