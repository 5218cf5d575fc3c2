/** A source begins by only observing orders: they are decided, and nothing automatic is sent. */
export interface Learning {
  readonly observed: number;
  readonly wanted: number;
}
