/** Filters of the queue that a user keeps under a name. */
export interface View {
  readonly id: string;
  readonly name: string;
  /** As they stand in the address of the queue. */
  readonly filters: string;
}

export const viewsMax = 50;

export interface Views {
  /** By name. */
  list(userId: string): Promise<readonly View[]>;
  /** Replaces the filters of a view with this name. @returns null if the user has `viewsMax` others. */
  save(userId: string, view: Omit<View, "id">): Promise<View | null>;
  /** @returns whether the user had it. */
  remove(userId: string, id: string): Promise<boolean>;
}
