import { createQueue } from '@parlance/async'
import { type Handlers, receiveFile } from '@parlance/bus'
import { type FileChunk, type knowledgeContract, maxKnowledgeFileBytes } from '@parlance/contracts'
import type { AgentRepository } from '../agent-repository.js'
import { agentNotFound } from '../publication-handlers.js'
import { deleteFiles, insertFile, type KnowledgeRepository } from './knowledge-repository.js'

interface KnowledgeHandlersOptions {
  readonly agents: Pick<AgentRepository, 'exists' | 'whileLocked'>
  readonly knowledge: Pick<KnowledgeRepository, 'find' | 'list' | 'search'>
  /** A file was added that is to be indexed. */
  onAdded(): void
}

export const createKnowledgeHandlers = (options: KnowledgeHandlersOptions): Handlers<typeof knowledgeContract> => {
  const { agents, knowledge, onAdded } = options

  const assertExists = async (
    { workspace_id, agent_id }: { workspace_id: string; agent_id: string },
    fail: (code: 'agent_not_found', detail: string) => never,
  ): Promise<void> => {
    if (!(await agents.exists(workspace_id, agent_id))) fail('agent_not_found', agentNotFound)
  }
  const fileNotFound = 'The Agent has no such file.'

  return {
    async addFile({ workspace_id, agent_id, name, content_type }, { signal, fail }, peer) {
      const input = createQueue<FileChunk>()
      peer.receive(input.push).then(input.end, input.fail)
      const content = await receiveFile(input, maxKnowledgeFileBytes, signal)
      const file = await agents.whileLocked(workspace_id, agent_id, async ({ transaction, config, revise }) => {
        const { language } = config.stt_config
        const added = await insertFile(transaction, workspace_id, agent_id, { name, content_type, content, language })
        await revise({ ...config, knowledge_files: [...config.knowledge_files, added.id] }, [])
        return added
      })
      if (file === undefined) return fail('agent_not_found', agentNotFound)
      onAdded()
      await peer.send(file)
    },

    async getFile(address, { fail }) {
      await assertExists(address, fail)
      const { workspace_id, agent_id, file_id } = address
      return (await knowledge.find(workspace_id, agent_id, file_id)) ?? fail('not_found', fileNotFound)
    },

    async listFiles({ workspace_id, agent_id, ...page }, { fail }) {
      await assertExists({ workspace_id, agent_id }, fail)
      const { items, nextCursor } = await knowledge.list(workspace_id, agent_id, page)
      return { files: items, next_cursor: nextCursor }
    },

    async deleteFile({ workspace_id, agent_id, file_id }, { fail }) {
      const deleted = await agents.whileLocked(workspace_id, agent_id, async ({ transaction, config, revise }) => {
        if (!(await deleteFiles(transaction, workspace_id, agent_id, file_id))) return fail('not_found', fileNotFound)
        if (!config.knowledge_files.includes(file_id)) return {}
        await revise({ ...config, knowledge_files: config.knowledge_files.filter((id) => id !== file_id) }, [])
        return {}
      })
      return deleted ?? fail('agent_not_found', agentNotFound)
    },

    search: async ({ workspace_id, agent_id, file_ids, text }) => ({
      passages: await knowledge.search(workspace_id, agent_id, file_ids, text),
    }),
  }
}
