/** What the worker asks for: the store may know it. */
export interface Port {
  readonly id: string;
}
