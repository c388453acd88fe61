import { type Bus, createClient } from '@parlance/bus'
import { peopleContract } from '@parlance/contracts'
import { startDeadline } from './development-key.js'

/** The address of the Owner that the first start creates. The domain does not exist; the Owner changes it in the dashboard. */
export const firstOwnerEmail = 'owner@parlance.localhost'

interface OwnerLinkOptions {
  readonly bus: Bus
  readonly workspaceId: string
  /** The URL of the gateway, for when the services do not know it. */
  readonly url: string
}

/**
 * A link that signs the first Owner of a workspace in, once. If there is no Owner, one is created who is an operator too.
 * Undefined once a member has a password to sign in with.
 */
export const openOwnerLink = async ({ bus, workspaceId, url }: OwnerLinkOptions): Promise<string | undefined> => {
  const people = createClient(bus, peopleContract)
  const { members } = await people.listMembers({ workspace_id: workspaceId }, startDeadline)
  if (members.some(({ has_password }) => has_password)) return undefined
  const newOwner = { workspace_id: workspaceId, email: firstOwnerEmail, name: 'Owner', role: 'owner' } as const
  const addFirstOwner = async () => {
    const owner = await people.addPerson(newOwner, startDeadline)
    // The link is printed on a terminal that can run the operators' command line anyway.
    return people.setOperator({ email: owner.email, is_operator: true }, startDeadline)
  }
  const { email } = members.find(({ role }) => role === 'owner') ?? (await addFirstOwner())
  const link = await people.createAccountLink({ email, kind: 'sign_in' }, startDeadline)
  return link.url ?? `${url}${link.path}`
}
