/** What people may be, from the least to the most: each role may do everything that the ones before it may. */
export const userRoleNames = ["viewer", "agent", "supervisor", "admin"] as const;
export type UserRole = (typeof userRoleNames)[number];

/** Whether somebody with `role` may do what takes at least `needed`. */
export function isRoleAtLeast(role: UserRole, needed: UserRole): boolean {
  return userRoleNames.indexOf(role) >= userRoleNames.indexOf(needed);
}

/** The lesser of two roles. */
export function lesserRole(one: UserRole, other: UserRole): UserRole {
  return isRoleAtLeast(one, other) ? other : one;
}
