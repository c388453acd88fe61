import type { Handlers } from '@parlance/bus'
import type { peopleContract } from '@parlance/contracts'
import { linkLifeMs, linkTo } from './account-links.js'
import type { Accounts } from './accounts.js'
import { findPerson, type OperatorRepository, type PeopleRepository, requireVerified } from './people-repository.js'

export interface OperatorHandlersOptions {
  /** Opens them when they are first needed. */
  accounts(): Promise<Accounts>
  readonly people: PeopleRepository
  readonly operators: OperatorRepository
  /** The address of the gateway. */
  readonly publicUrl: string | undefined
}

/** Who is an operator, and what operators do with accounts. */
export const createOperatorHandlers = ({
  accounts,
  people,
  operators,
  publicUrl,
}: OperatorHandlersOptions): Pick<
  Handlers<typeof peopleContract>,
  'createAccountLink' | 'setOperator' | 'listOperators' | 'signOutEverywhere'
> => ({
  async createAccountLink({ email, kind }) {
    const person = await findPerson(people, email)
    const { createSignInPath, createPasswordPath } = await accounts()
    const createPath = kind === 'sign_in' ? createSignInPath : createPasswordPath
    return linkTo(publicUrl, await createPath(person.email), new Date(Date.now() + linkLifeMs))
  },

  async setOperator({ email, is_operator }) {
    const person = await findPerson(people, email)
    if (is_operator) await requireVerified(people, person)
    await (is_operator ? operators.add(person.id) : operators.remove(person.id))
    return person
  },

  async listOperators() {
    return { operators: await operators.list() }
  },

  async signOutEverywhere({ email }) {
    const { id } = await findPerson(people, email)
    const sessions = await people.countSessions(id)
    await (await accounts()).signOutEverywhere(id)
    return { sessions }
  },
})
