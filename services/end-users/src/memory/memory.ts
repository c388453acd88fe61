import { type Handlers, serve } from '@parlance/bus'
import { memoryContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { createMemoryRepository, type MemoryRepository } from './memory-repository.js'

/** Roughly the tokens for a character of each kind: several Latin letters share a token, and a Chinese character is one. */
const tokensPerCharacter = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu, 1],
  [/[\p{sc=Latin}\p{sc=Common}]/gu, 1 / 4],
] as const
const tokensPerOtherCharacter = 1 / 2
/** For the list mark and the line end around a fact in a prompt. */
const tokensAroundFact = 2

/** An upper estimate of the tokens of a fact in a prompt. */
export const estimateTokens = (text: string): number => {
  let others = [...text].length
  let tokens = tokensAroundFact
  for (const [kind, each] of tokensPerCharacter) {
    const count = text.match(kind)?.length ?? 0
    others -= count
    tokens += count * each
  }
  return Math.ceil(tokens + others * tokensPerOtherCharacter)
}

/** The newest facts that fit into the budget, the oldest of them first. `facts` has the newest first. */
export const newestFacts = <Fact extends { readonly text: string }>(
  facts: readonly Fact[],
  tokenBudget: number,
): Fact[] => {
  const fitting: Fact[] = []
  let tokens = 0
  for (const fact of facts) {
    tokens += estimateTokens(fact.text)
    if (tokens > tokenBudget) break
    fitting.push(fact)
  }
  return fitting.reverse()
}

interface MemoryAddress {
  workspace_id: string
  end_user_id: string
  agent_id: string
}

const ownerOf = ({ workspace_id, end_user_id }: Omit<MemoryAddress, 'agent_id'>) => ({
  workspaceId: workspace_id,
  endUserId: end_user_id,
})
const scopeOf = (address: MemoryAddress) => ({ ...ownerOf(address), agentId: address.agent_id })

const createMemoryHandlers = (memories: MemoryRepository): Handlers<typeof memoryContract> => ({
  async recall({ token_budget, ...address }) {
    return { facts: newestFacts(await memories.newest(scopeOf(address)), token_budget) }
  },

  async remember({ session_id, facts, ...address }) {
    const extracted = facts.map(({ text, message_id, said_at }) => ({
      text,
      messageId: message_id,
      messageAt: said_at,
    }))
    return { kept: await memories.keep(scopeOf(address), session_id, extracted) }
  },

  async listMemories({ agent_id, limit, cursor, order, ...address }) {
    const { items, nextCursor } = await memories.list(ownerOf(address), agent_id, { limit, cursor, order })
    return { memories: items, next_cursor: nextCursor }
  },

  async forget({ agent_id, ...address }) {
    return { forgotten: await memories.forget(ownerOf(address), agent_id) }
  },
})

export const memorySchema: DatabaseSchema = {
  schema: 'memory',
  migrations: new URL('../../migrations/memory/', import.meta.url),
}

/** Serves `memoryContract` until it is stopped. */
export const startMemory = async (platform: Platform): Promise<RunningService> => {
  const database = await platform.openDatabase(memorySchema)
  const handlers = createMemoryHandlers(createMemoryRepository(database))
  const served = await serve(platform.bus, memoryContract, handlers, platform)
  return {
    ready: () => database.ready(),
    async stop() {
      await served.stop()
      await database.close()
    },
  }
}
