import {
  authContract,
  type CallMethod,
  type Contract,
  creditContract,
  type ErrorCode,
  type Method,
  modelProvidersContract,
  peopleContract,
} from '@parlance/contracts'
import type { z } from 'zod'

type Calls<C extends Contract> = {
  readonly [Name in keyof C['methods'] as C['methods'][Name] extends { kind: 'call' }
    ? Name
    : never]: C['methods'][Name] extends CallMethod<infer Request, infer Reply, ErrorCode>
    ? (request: z.input<Request>) => Promise<z.output<Reply>>
    : never
}

/** The calls of commands to the services. They reject with `ServiceError`. */
export interface OperatorCalls {
  readonly auth: Calls<typeof authContract>
  readonly credit: Calls<typeof creditContract>
  readonly people: Calls<typeof peopleContract>
  readonly modelProviders: Calls<typeof modelProvidersContract>
  /** Closes everything that would keep this process alive. */
  close(): Promise<void>
}

/** Sends a request to a method of a contract. Resolves to the reply, not parsed yet. */
export type SendCall = (contract: Contract, method: string, request: unknown) => Promise<unknown>

const callsOver = <C extends Contract>(send: SendCall, contract: C): Calls<C> =>
  Object.fromEntries(
    Object.entries<Method>(contract.methods).flatMap(([name, method]) =>
      method.kind === 'call'
        ? [[name, async (request: unknown) => method.reply.parse(await send(contract, name, request))]]
        : [],
    ),
  ) as Calls<C>

export const createOperatorCalls = (send: SendCall, close: () => Promise<void>): OperatorCalls => ({
  auth: callsOver(send, authContract),
  credit: callsOver(send, creditContract),
  people: callsOver(send, peopleContract),
  modelProviders: callsOver(send, modelProvidersContract),
  close,
})
