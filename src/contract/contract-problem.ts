/** Why a body cannot be used: `code` is stable, `path` points into the body (JSON Pointer, RFC 6901). */
export interface ContractProblem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}
