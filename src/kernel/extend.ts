/**
 * `{ ...object, ...members }`: on Node.js 20 the literal gives each object its own hidden class if a member is new,
 * which slows later reads. Use it again once Node.js 22 is the oldest supported.
 */
export function extend<Original extends object, Members extends object>(
  object: Original,
  members: Members,
): Omit<Original, keyof Members> & Members {
  return Object.assign({}, object, members);
}
