/** Each role may do everything that the roles before it may. */
export const userRoleNames = ["viewer", "agent", "supervisor", "admin"] as const;
export type UserRole = (typeof userRoleNames)[number];

export function isRoleAtLeast(role: UserRole, needed: UserRole): boolean {
  return userRoleNames.indexOf(role) >= userRoleNames.indexOf(needed);
}

export function lesserRole(one: UserRole, other: UserRole): UserRole {
  return isRoleAtLeast(one, other) ? other : one;
}
