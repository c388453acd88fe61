import type { Handlers } from '@parlance/bus'
import { type peopleContract, ServiceError } from '@parlance/contracts'
import { answerAccountRequest } from './account-request.js'
import type { Accounts } from './accounts.js'
import { type IdentityProvider, identityProviderId, relyingPartyOf } from './identity-provider.js'
import type { OperatorRepository, PeopleRepository } from './people-repository.js'

export interface SignInHandlersOptions {
  /** Opens them when they are first needed. */
  accounts(): Promise<Accounts>
  readonly people: PeopleRepository
  readonly operators: OperatorRepository
  /** The address of the gateway. */
  readonly publicUrl: string | undefined
  readonly provider: IdentityProvider | undefined
  /** Whether mails can be sent. */
  readonly sendsMail: boolean
}

/** How people sign in, and who is signed in. */
export const createSignInHandlers = ({
  accounts,
  people,
  operators,
  publicUrl,
  provider,
  sendsMail,
}: SignInHandlersOptions): Pick<
  Handlers<typeof peopleContract>,
  'handleAccountRequest' | 'listIdentityProviders' | 'getSignedIn' | 'getOperator' | 'getMember'
> => {
  const signedIn = async (cookie: string) => {
    const found = await (await accounts()).signedIn(cookie)
    if (found === undefined) throw new ServiceError('unauthorized', 'Sign in first.')
    return found
  }

  return {
    handleAccountRequest: async (request) => answerAccountRequest(await accounts(), request),

    listIdentityProviders: () => ({
      providers: provider === undefined ? [] : [{ id: identityProviderId, name: provider.name }],
      passkeys: relyingPartyOf(publicUrl) !== undefined,
      sends_mail: sendsMail,
    }),

    async getSignedIn({ cookie }) {
      const { personId, email, name } = await signedIn(cookie)
      const [workspaces, is_operator] = await Promise.all([
        people.membershipsOf(personId),
        operators.isOperator(personId),
      ])
      return { person: { id: personId, email, name }, workspaces, is_operator }
    },

    async getOperator({ cookie }, { fail }) {
      const { personId: id, email, name } = await signedIn(cookie)
      return (await operators.isOperator(id)) ? { id, email, name } : fail('forbidden_role', 'This is for operators.')
    },

    async getMember({ cookie, workspace_id }, { fail }) {
      const { personId } = await signedIn(cookie)
      const member = await people.findMember(workspace_id, personId)
      return member ?? fail('not_found', 'You are not a member of this workspace.')
    },
  }
}
