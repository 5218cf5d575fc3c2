/** Whether two texts name one terminal: 1 is also written `01`, `T1` and `Terminal 1`. */
export function isSameTerminal(a: string, b: string): boolean {
  return a === b || nameOf(a) === nameOf(b);
}

function nameOf(stated: string): string {
  const name = stated.toUpperCase().replaceAll(/[\s\p{P}]/gu, "");
  return name.replace(/^(?:TERMINAL|TERM|TER|T)(?=[A-Z]?\d[A-Z\d]?$|[A-Z]$)/u, "").replace(/^0+(?=.)/, "");
}
