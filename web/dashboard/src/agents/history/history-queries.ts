import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fetchApi } from '../../api/api.js'
import type { components } from '../../api/schema.js'
import type { AgentConfig } from '../agent.js'

/** A revision as the API returns it: with every field. */
export type Revision = Omit<components['schemas']['Revision'], 'config'> & { readonly config: AgentConfig }

const itemsPerPage = 50

const fetchRevisions = async (agentId: string, query: { limit: number; cursor?: string }) => {
  const path = '/dashboard/api/v1/agents/{agentId}/revisions'
  const { data } = await fetchApi.GET(path, { params: { path: { agentId }, query } })
  return data as { revisions: Revision[]; next_cursor: string | null }
}

/** Newest first. */
export const useRevisions = (agentId: string) =>
  useInfiniteQuery({
    queryKey: ['revisions', agentId],
    queryFn: ({ pageParam }) =>
      fetchRevisions(agentId, { limit: itemsPerPage, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: 0,
  })

/** Newest first. */
export const usePublications = (agentId: string) =>
  useInfiniteQuery({
    queryKey: ['publications', agentId],
    queryFn: async ({ pageParam }) => {
      const query = { limit: itemsPerPage, ...(pageParam !== null && { cursor: pageParam }) }
      const path = '/dashboard/api/v1/agents/{agentId}/publications'
      const { data } = await fetchApi.GET(path, { params: { path: { agentId }, query } })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: 0,
  })

/** The API has no address for one revision, so the list is read until it appears. */
const findRevision = async (agentId: string, version: number, cursor?: string): Promise<Revision> => {
  const page = await fetchRevisions(agentId, { limit: 100, ...(cursor !== undefined && { cursor }) })
  const found = page.revisions.find((revision) => revision.version === version)
  if (found !== undefined) return found
  if (page.next_cursor === null) throw new Error(`the Agent has no revision ${version}`)
  return findRevision(agentId, version, page.next_cursor)
}

/** One revision, which never changes. Nothing is loaded while there is no version. */
export const useRevision = (agentId: string, version: number | undefined) =>
  useQuery({
    queryKey: ['revision', agentId, version],
    queryFn: () => findRevision(agentId, version!),
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
