import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { fetchApi } from '../../api/api.js'
import { allItems } from '../../api/lists.js'
import type { components } from '../../api/schema.js'
import { currentWorkspaceId } from '../../session/current-workspace.js'

export type KnowledgeFile = components['schemas']['KnowledgeFile']

/** To be called when a file was added or deleted, which changes the draft of the Agent. */
export const FilesChangedContext = createContext<() => Promise<void>>(async () => {})

const keyOf = (agentId: string) => ['knowledge', agentId]
const indexingMs = 1_500

export const isIndexing = (files: readonly KnowledgeFile[] | undefined): boolean =>
  files?.some(({ status }) => status === 'indexing') ?? false

/** The files of an Agent, newest first. Read again until all are indexed. */
export const useKnowledge = (agentId: string) =>
  useQuery({
    queryKey: keyOf(agentId),
    queryFn: () =>
      allItems(
        (query) =>
          fetchApi.GET('/dashboard/api/v1/agents/{agentId}/knowledge', { params: { path: { agentId }, query } }),
        ({ files }) => files,
      ),
    refetchInterval: ({ state }) => isIndexing(state.data) && indexingMs,
  })

/** Resolves when the file is stored. `fetch` reports no progress of uploads. Rejects with the body of the error. */
const upload = (agentId: string, file: File, onProgress: (share: number) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const form = new FormData()
    form.set('file', file)
    const request = new XMLHttpRequest()
    request.open('POST', `/dashboard/api/v1/agents/${agentId}/knowledge`)
    request.setRequestHeader('x-parlance-workspace', currentWorkspaceId() ?? '')
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onerror = () => reject(new TypeError('the upload failed'))
    request.onload = () => {
      if (request.status === 201) return resolve()
      try {
        reject(JSON.parse(request.responseText))
      } catch (error) {
        reject(error)
      }
    }
    request.send(form)
  })

const useReload = (agentId: string) => {
  const client = useQueryClient()
  const filesChanged = useContext(FilesChangedContext)
  return () => Promise.all([client.invalidateQueries({ queryKey: keyOf(agentId) }), filesChanged()])
}

/** Uploads files one after the other. Stops at the first that is refused. */
export const useAddFiles = (agentId: string, onProgress: (file: File, share: number) => void) => {
  const reload = useReload(agentId)
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        onProgress(file, 0)
        await upload(agentId, file, (share) => onProgress(file, share))
        await reload()
      }
    },
  })
}

export const useDeleteFile = (agentId: string) => {
  const reload = useReload(agentId)
  return useMutation({
    mutationFn: (fileId: string) =>
      fetchApi.DELETE('/dashboard/api/v1/agents/{agentId}/knowledge/{fileId}', {
        params: { path: { agentId, fileId } },
      }),
    onSuccess: reload,
  })
}
