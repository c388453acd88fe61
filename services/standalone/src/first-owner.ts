import { type Bus, createClient } from '@parlance/bus'
import { peopleContract } from '@parlance/contracts'

/** The address of the Owner that the first start makes. The domain exists on no network; the Owner changes it in the dashboard. */
export const firstOwnerEmail = 'owner@parlance.localhost'

export interface OwnerLinkOptions {
  readonly bus: Bus
  readonly workspaceId: string
  /** The address of the gateway, where the services do not know it. */
  readonly url: string
}

/**
 * A link that signs the first Owner of a workspace in, once. The Owner is made where there is none, and is an operator.
 * Undefined as soon as a member has chosen a password, with which that member signs in.
 */
export const openOwnerLink = async ({ bus, workspaceId, url }: OwnerLinkOptions): Promise<string | undefined> => {
  const people = createClient(bus, peopleContract)
  const { members } = await people.listMembers({ workspace_id: workspaceId })
  if (members.some(({ has_password }) => has_password)) return undefined
  const newOwner = { workspace_id: workspaceId, email: firstOwnerEmail, name: 'Owner', role: 'owner' } as const
  const addFirstOwner = async () => {
    const owner = await people.addPerson(newOwner)
    // This person has the terminal on which the link is printed, and with it the command line of operators.
    return people.setOperator({ email: owner.email, is_operator: true })
  }
  const { email } = members.find(({ role }) => role === 'owner') ?? (await addFirstOwner())
  const link = await people.createAccountLink({ email, kind: 'sign_in' })
  return link.url ?? `${url}${link.path}`
}
