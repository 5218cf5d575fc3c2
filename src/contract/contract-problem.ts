/** Why a body cannot be used. `code` is stable; `path` is a JSON Pointer (RFC 6901) into the body. */
export interface ContractProblem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}
