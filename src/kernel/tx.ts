declare const transaction: unique symbol;

/** A transaction, opaque to features, which only pass it on so that they commit together. Only `store` unwraps it. */
export interface Tx {
  readonly [transaction]: true;
}
