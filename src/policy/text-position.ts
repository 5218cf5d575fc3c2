/** A place in a text, counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}
