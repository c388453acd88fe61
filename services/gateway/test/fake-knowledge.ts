import { type KnowledgeFile, knowledgeContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const knowledgeFile: KnowledgeFile = {
  id: '3d0f7f7e-52ab-4c6f-9c06-2f0d1a8b9c11',
  name: 'manual.pdf',
  content_type: 'application/pdf',
  size_bytes: 4,
  status: 'indexing',
  error: null,
  passages: 0,
  created_at: '2026-01-31T09:30:00.000Z',
}

/** The knowledge of every Agent: one file. Requests are in `requests`, by method. */
export const createFakeKnowledge = () => {
  const requests: Partial<Record<string, unknown>> = {}
  const handlers = fakeHandlers(knowledgeContract, {
    async addFile(request, _context, peer) {
      let size_bytes = 0
      await peer.receive((chunk) => {
        if (chunk.kind === 'part') size_bytes += chunk.data.length
      })
      requests.addFile = request
      const { name, content_type } = request
      await peer.send({ ...knowledgeFile, name, content_type, size_bytes })
    },
    getFile(request, { fail }) {
      return request.file_id === knowledgeFile.id ? knowledgeFile : fail('not_found', 'The Agent has no such file.')
    },
    listFiles(request) {
      requests.listFiles = request
      return { files: [knowledgeFile], next_cursor: null }
    },
    deleteFile(request) {
      requests.deleteFile = request
      return {}
    },
    search: () => ({ passages: [] }),
  })
  return { handlers, requests }
}
