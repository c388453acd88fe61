import { roleSchema } from '@parlance/contracts'
import { APIError } from 'better-auth/api'
import type { OrganizationOptions } from 'better-auth/plugins'

const refuseOtherRoles = async (role: unknown): Promise<void> => {
  if (roleSchema.safeParse(role).success) return
  throw new APIError('BAD_REQUEST', { message: `role: must be one of ${roleSchema.options.join(', ')}` })
}

/** A member has one role. The library takes several, and joins them with commas. */
export const oneRole = {
  beforeCreateInvitation: ({ invitation: { role } }) => refuseOtherRoles(role),
  beforeUpdateMemberRole: ({ newRole }) => refuseOtherRoles(newRole),
} satisfies OrganizationOptions['organizationHooks']
