import type { Handlers } from '@parlance/bus'
import type { memoryContract } from '@parlance/contracts'
import type { MemoryRepository } from './memory-repository.js'
import { newestFacts } from './newest-facts.js'

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

export const createMemoryHandlers = (memories: MemoryRepository): Handlers<typeof memoryContract> => ({
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
