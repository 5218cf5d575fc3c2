/** The position of an item in a list, newest first by default. Rows that are added meanwhile do not move it. */
export interface PagePosition {
  /** ISO 8601 in UTC with microseconds, as in PostgreSQL: milliseconds would skip rows. */
  readonly at: string;
  readonly id: string;
  /** Only in lists that are sorted by priority second. */
  readonly priority?: number;
}

/** Which page of a list. */
export interface PageRequest {
  readonly after: PagePosition | null;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The position after which the next page begins; null on the last page. */
  readonly next: PagePosition | null;
}
