import type { Role } from '../api/account.js'

const ranks: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 }

/** Whether a role is at least `least`. The server also checks it. */
export const isAtLeast = (role: Role, least: Role): boolean => ranks[role] >= ranks[least]

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** The roles that a person with this role may give and take away. */
export const grantableRoles = (role: Role): readonly Role[] => {
  if (role === 'owner') return ['owner', 'admin', 'member']
  return role === 'admin' ? ['admin', 'member'] : []
}
