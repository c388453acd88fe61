import type { Handlers } from '@parlance/bus'
import type { peopleContract } from '@parlance/contracts'
import { createMemberHandlers, type MemberHandlersOptions } from './member-handlers.js'
import { createOperatorHandlers, type OperatorHandlersOptions } from './operator-handlers.js'
import { createSignInHandlers, type SignInHandlersOptions } from './sign-in-handlers.js'

export type PeopleHandlersOptions = SignInHandlersOptions & MemberHandlersOptions & OperatorHandlersOptions

export const createPeopleHandlers = (options: PeopleHandlersOptions): Handlers<typeof peopleContract> => ({
  ...createSignInHandlers(options),
  ...createMemberHandlers(options),
  ...createOperatorHandlers(options),
})
