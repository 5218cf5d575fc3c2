/** What views of a source stated since it was last written, of one path or one value of it. */
export interface MemberCount {
  readonly source: string;
  readonly path: string;
  readonly valueDigest: string | null;
  readonly views: number;
  /** The bits of the orders: see `distinct-count.ts`. */
  readonly orders: ReadonlySet<number>;
  readonly unchangedOrders: ReadonlySet<number>;
}
