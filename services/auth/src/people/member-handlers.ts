import { randomUUID } from 'node:crypto'
import type { Handlers } from '@parlance/bus'
import type { Person, peopleContract } from '@parlance/contracts'
import { announceStanding, type StandingChanged } from '../key-handlers.js'
import { invitationLifeMs, invitationPath, linkTo } from './account-links.js'
import type { Accounts } from './accounts.js'
import type { InvitationRepository } from './invitation-repository.js'
import { findPerson, type PeopleRepository, requireVerified } from './people-repository.js'

export interface MemberHandlersOptions {
  /** Opens them when they are first needed. */
  accounts(): Promise<Accounts>
  readonly people: PeopleRepository
  readonly invitations: InvitationRepository
  /** The address of the gateway. */
  readonly publicUrl: string | undefined
  /** Whether mails can be sent. */
  readonly sendsMail: boolean
  readonly standingChanged: StandingChanged
}

const noInvitation = 'This invitation was used or withdrawn, or has expired. Ask for another one.'

/** Members of workspaces, and invitations. */
export const createMemberHandlers = ({
  accounts,
  people,
  invitations,
  publicUrl,
  sendsMail,
  standingChanged,
}: MemberHandlersOptions): Pick<
  Handlers<typeof peopleContract>,
  'getInvitation' | 'createInvitedPerson' | 'addPerson' | 'createInvitation' | 'listMembers' | 'removeMember'
> => {
  const findOrCreatePerson = async (email: string, name: string | undefined): Promise<Person> => {
    const known = await people.findByEmail(email)
    if (known !== undefined) {
      await requireVerified(people, known)
      return known
    }
    const person = { email: email.toLowerCase(), name: name ?? email.slice(0, email.indexOf('@')) }
    // The operator chooses the address, and only the operator's links and mails give access to the account.
    return { ...person, id: await (await accounts()).createPerson({ ...person, isVerified: true }) }
  }

  return {
    async getInvitation({ invitation_id }, { fail }) {
      return (await invitations.find(invitation_id)) ?? fail('not_found', noInvitation)
    },

    async createInvitedPerson({ invitation_id, token, name, password }, { fail }) {
      const invitation = await invitations.find(invitation_id)
      if (invitation === undefined) return fail('not_found', noInvitation)
      const isVerified = token !== undefined && (await invitations.hasToken(invitation_id, token))
      // Inviters see the id, so it proves nothing about the address. Without mails they send links of the id alone.
      if (!isVerified && (sendsMail || token !== undefined))
        return fail('invalid_request', 'This link is incomplete. Open the link in the mail, or ask for another one.')
      const { email, has_account } = invitation
      if (has_account) return fail('invalid_request', 'You have an account. Sign in, and then accept the invitation.')
      const id = await (await accounts()).createPerson({ email, name, password, isVerified })
      return { id, email, name }
    },

    async addPerson({ email, name, workspace_id, role }, { fail }) {
      const person = await findOrCreatePerson(email, name)
      if (await people.setRole(workspace_id, person.id, role)) return person
      return fail('not_found', 'There is no such workspace.')
    },

    async createInvitation({ workspace_id, email, role }, { fail }) {
      const members = await people.members(workspace_id)
      if (members.some((member) => member.email === email.toLowerCase()))
        return fail('invalid_request', 'This person is already a member of the workspace.')
      const id = randomUUID()
      const expiresAt = new Date(Date.now() + invitationLifeMs)
      const token = await invitations.invite({ id, workspaceId: workspace_id, email, role, expiresAt })
      if (token === undefined) return fail('not_found', 'There is no such workspace.')
      return linkTo(publicUrl, invitationPath(id, token), expiresAt)
    },

    async listMembers({ workspace_id }) {
      return { members: await people.members(workspace_id) }
    },

    async removeMember({ workspace_id, email }, { fail }) {
      const person = await findPerson(people, email)
      if (!(await people.removeMember(workspace_id, person.id)))
        return fail('not_found', 'This person is not a member of the workspace.')
      announceStanding(standingChanged, workspace_id)
      return {}
    },
  }
}
