declare const transaction: unique symbol;

/**
 * A running database transaction, opaque to features. A feature that must commit together with another one is handed
 * a `Tx` and passes it on; only the `store` can look inside.
 */
export interface Tx {
  readonly [transaction]: true;
}
