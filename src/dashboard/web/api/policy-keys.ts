/** Of all that the pages read about policies. */
export const policiesKey = ["policies"];

export function policyKey(version: string): readonly string[] {
  return [...policiesKey, "version", version];
}
