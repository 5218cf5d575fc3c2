/** What the desk asks for: the store may know it. */
export interface Port {
  readonly id: string;
}
