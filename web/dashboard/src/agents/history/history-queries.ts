import { useQuery } from '@tanstack/react-query'
import { fetchApi } from '../../api/api.js'
import { useList } from '../../api/lists.js'
import type { components } from '../../api/schema.js'
import type { AgentConfig } from '../agent.js'

/** A revision as the API returns it: with every field. */
export type Revision = Omit<components['schemas']['Revision'], 'config'> & { readonly config: AgentConfig }

const revisionList = '/dashboard/api/v1/agents/{agentId}/revisions'
export const publicationList = '/dashboard/api/v1/agents/{agentId}/publications'

/** Newest first. */
export const useRevisions = (agentId: string) =>
  useList(revisionList, { path: { agentId } }, ({ revisions }) => revisions as Revision[])

/** Newest first. */
export const usePublications = (agentId: string) =>
  useList(publicationList, { path: { agentId } }, ({ publications }) => publications)

/** The API has no address for one revision, so the list is read until it appears. */
const findRevision = async (agentId: string, version: number, cursor?: string): Promise<Revision> => {
  const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
  const { data } = await fetchApi.GET(revisionList, { params: { path: { agentId }, query } })
  const { revisions, next_cursor } = data!
  const found = revisions.find((revision) => revision.version === version)
  if (found !== undefined) return found as Revision
  if (next_cursor === null) throw new Error(`the Agent has no revision ${version}`)
  return findRevision(agentId, version, next_cursor)
}

/** One revision, which never changes. Nothing is loaded while there is no version. */
export const useRevision = (agentId: string, version: number | undefined) =>
  useQuery({
    queryKey: ['revision', agentId, version],
    queryFn: () => findRevision(agentId, version!),
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
