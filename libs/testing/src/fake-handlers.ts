import type { Handlers } from '@parlance/bus'
import { type Contract, ServiceError } from '@parlance/contracts'

/** The handlers of a fake service: those that a test states. The other methods of the contract fail, and name themselves. */
export const fakeHandlers = <C extends Contract>(contract: C, stated: Partial<Handlers<C>>): Handlers<C> => {
  const refused = Object.keys(contract.methods).map((method) => {
    const refuse = () => {
      throw new ServiceError('internal_error', `The fake of ${contract.name}.${method} has no handler.`)
    }
    return [method, refuse]
  })
  return { ...Object.fromEntries(refused), ...stated }
}
