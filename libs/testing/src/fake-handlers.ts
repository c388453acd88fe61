import type { Handlers } from '@parlance/bus'
import { type Contract, type Method, ServiceError } from '@parlance/contracts'
import { sampleOf } from './sample-of.js'

/**
 * The handlers of a fake service: those that a test states. Other calls are answered with a small reply of the contract, and streams
 * fail.
 */
export const fakeHandlers = <C extends Contract>(contract: C, stated: Partial<Handlers<C>>): Handlers<C> => {
  const derived = Object.entries<Method>(contract.methods).map(([name, method]) => {
    const handle = () => {
      if (method.kind === 'call') return sampleOf(method.reply)
      throw new ServiceError('internal_error', `The fake of ${contract.name}.${name} has no handler.`)
    }
    return [name, handle]
  })
  return { ...Object.fromEntries(derived), ...stated }
}
