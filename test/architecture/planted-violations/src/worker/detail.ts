/** Not part of the ports of the worker. */
export interface Detail {
  readonly id: string;
}
