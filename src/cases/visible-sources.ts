/** The sources whose orders, cases and notifications somebody sees; null: all of them. */
export type VisibleSources = readonly string[] | null;

export function isVisible(source: string, visible: VisibleSources): boolean {
  return visible === null || visible.includes(source);
}
