import {
  authContract,
  type CallMethod,
  type Contract,
  creditContract,
  type ErrorCode,
  type Method,
  modelProvidersContract,
  peopleContract,
  ServiceError,
  sessionsContract,
  tokensContract,
  type Workspace,
} from '@parlance/contracts'
import type { z } from 'zod'

type Calls<C extends Contract> = {
  readonly [Name in keyof C['methods'] as C['methods'][Name] extends { kind: 'call' }
    ? Name
    : never]: C['methods'][Name] extends CallMethod<infer Request, infer Reply, ErrorCode>
    ? (request: z.input<Request>) => Promise<z.output<Reply>>
    : never
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

/** The calls of commands to the services. They reject with `ServiceError`. */
export const createOperatorCalls = (send: SendCall, close: () => Promise<void>) => ({
  auth: callsOver(send, authContract),
  credit: callsOver(send, creditContract),
  people: callsOver(send, peopleContract),
  modelProviders: callsOver(send, modelProvidersContract),
  sessions: callsOver(send, sessionsContract),
  tokens: callsOver(send, tokensContract),
  /** Closes everything that would keep this process alive. */
  close,
})

export type OperatorCalls = ReturnType<typeof createOperatorCalls>

/**
 * Reads a workspace. Commands that need only the id call it too, so that a wrong id is an error before anything is done.
 * Rejects with `not_found`.
 */
export const findWorkspace = async ({ auth }: OperatorCalls, id: string): Promise<Workspace> => {
  try {
    return await auth.getWorkspace({ workspace_id: id })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      `There is no workspace ${id}: \`parlance workspace list\` shows all workspaces.`,
    )
  }
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null or undefined on the last one. */
  readonly nextCursor: string | null | undefined
}

/** Reads all pages of a list. Calls `onMore` with the number of items so far before each further page. */
export const allPages = async <Item>(
  readPage: (at: { cursor?: string }) => Promise<Page<Item>>,
  onMore: (count: number) => void,
): Promise<Item[]> => {
  const all: Item[] = []
  for (let at: { cursor?: string } | undefined = {}; at !== undefined; ) {
    const { items, nextCursor }: Page<Item> = await readPage(at)
    all.push(...items)
    at = nextCursor == null ? undefined : { cursor: nextCursor }
    if (at !== undefined) onMore(all.length)
  }
  return all
}
