/** Not part of the ports of the desk. */
export interface Detail {
  readonly id: string;
}
