/**
 * The values of the headers of MCP servers. A configuration has `sealed:` and an id in place of each value, so that revisions,
 * which are never changed, hold no secret.
 */
import { randomUUID } from 'node:crypto'
import type { ModelKeys } from '@parlance/clients/model-keys'
import { ServiceError, sealedHeaderPattern, type Tool } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'

/** A value for the servers of one origin: a person who may edit an Agent must not be able to send it to another. */
export interface SealedHeader {
  readonly id: string
  readonly origin: string
  readonly sealed: string
}

/** The tools with ids in place of new values, and those values. Rejects with `unavailable` without a master key. */
export const sealHeaders = async (
  { seal }: Pick<ModelKeys, 'seal'>,
  workspaceId: string,
  tools: readonly Tool[],
): Promise<{ readonly tools: Tool[]; readonly added: readonly SealedHeader[] }> => {
  const added: SealedHeader[] = []
  const sealedTool = async (tool: Tool): Promise<Tool> => {
    if (tool.type !== 'mcp') return tool
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(tool.headers)) {
      headers[name] = value
      if (sealedHeaderPattern.test(value)) continue
      const id = randomUUID()
      added.push({ id, origin: new URL(tool.url).origin, sealed: await seal({ workspaceId, providerId: id }, value) })
      headers[name] = `sealed:${id}`
    }
    return { ...tool, headers }
  }
  return { tools: await Promise.all(tools.map(sealedTool)), added }
}

export const insertHeaders = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  headers: readonly SealedHeader[],
): Promise<void> => {
  for (const { id, origin, sealed } of headers) {
    await transaction.query(
      'insert into sealed_headers (workspace_id, agent_id, id, origin, sealed) values ($1, $2, $3, $4, $5)',
      [workspaceId, agentId, id, origin, sealed],
    )
  }
}

/** Throws `invalid_request` for an id that is not of a value of this Agent and of the origin of its server. */
export const assertHeadersKnown = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  tools: readonly Tool[],
): Promise<void> => {
  if (!tools.some(({ type }) => type === 'mcp')) return
  const rows = await transaction.query<{ id: string; origin: string }>(
    'select id, origin from sealed_headers where workspace_id = $1 and agent_id = $2',
    [workspaceId, agentId],
  )
  const origins = new Map(rows.map(({ id, origin }) => [id, origin]))
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'mcp') continue
    for (const [name, value] of Object.entries(tool.headers)) {
      if (origins.get(sealedHeaderPattern.exec(value)?.[1] ?? '') === new URL(tool.url).origin) continue
      throw new ServiceError(
        'invalid_request',
        `tools.${index}.headers.${name}: must be given again, since there is no stored value for this Agent and server`,
      )
    }
  }
}

export const listHeaders = (
  database: Database,
  workspaceId: string,
  agentId: string,
): Promise<Pick<SealedHeader, 'id' | 'sealed'>[]> =>
  database.inWorkspace(workspaceId, (transaction) =>
    transaction.query<Pick<SealedHeader, 'id' | 'sealed'>>(
      'select id, sealed from sealed_headers where workspace_id = $1 and agent_id = $2',
      [workspaceId, agentId],
    ),
  )
