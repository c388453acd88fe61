import { type Memory, memoryContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'
import { agentId } from './fake-agents.js'

export const memory: Memory = {
  id: '0a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  agent_id: agentId,
  text: 'The user likes tea.',
  session_id: '1a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  message_id: null,
  created_at: '2026-01-31T09:30:00.000Z',
}

/** A memory with one fact. Its requests are in `requests`, by method. */
export const createFakeMemory = () => {
  const requests: Partial<Record<keyof typeof memoryContract.methods, unknown>> = {}
  const handlers = fakeHandlers(memoryContract, {
    listMemories(request) {
      requests.listMemories = request
      return { memories: [memory], next_cursor: 'more' }
    },
    forget(request) {
      requests.forget = request
      return { forgotten: 1 }
    },
  })
  return { requests, handlers }
}
