import type { Handlers } from '@parlance/bus'
import { activeRecordTtlMs, writeChangedRecords, writeRevokedRecords } from '@parlance/clients/api-key'
import { type authContract, type Capability, idSchema } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { ApiKeyRepository } from './api-key-repository.js'
import { announceStanding, type StandingChanged } from './key-handlers.js'
import type { WorkspaceRepository } from './workspace-repository.js'

interface WorkspaceHandlersOptions {
  readonly workspaces: WorkspaceRepository
  readonly keys: Pick<ApiKeyRepository, 'digestsOfKeys'>
  readonly ttl: TtlStore
  readonly standingChanged: StandingChanged
}

type WorkspaceHandlers = Pick<
  Handlers<typeof authContract>,
  'createWorkspace' | 'getWorkspace' | 'listWorkspaces' | 'updateWorkspace' | 'deleteWorkspace'
>

const unique = (capabilities: readonly Capability[]): Capability[] => [...new Set(capabilities)]

export const createWorkspaceHandlers = (options: WorkspaceHandlersOptions): WorkspaceHandlers => {
  const { workspaces, keys, ttl, standingChanged } = options

  return {
    async createWorkspace(workspace) {
      return workspaces.create({ ...workspace, capabilities: unique(workspace.capabilities) })
    },

    async getWorkspace({ workspace_id }, { fail }) {
      return (await workspaces.find(workspace_id)) ?? fail('not_found', 'There is no such workspace.')
    },

    async listWorkspaces({ limit, cursor, search }, { fail }) {
      // A list during which the workspace at its cursor is deleted must be read again.
      if (cursor !== undefined && !(idSchema.safeParse(cursor).success && (await workspaces.find(cursor)))) {
        return fail('invalid_request', 'cursor: must be the next_cursor of the previous page')
      }
      const found = await workspaces.list({ after: cursor, limit: limit + 1, search })
      const page = found.slice(0, limit)
      return { workspaces: page, next_cursor: found.length > limit ? page.at(-1)!.id : null }
    },

    async updateWorkspace({ workspace_id, person_id, ...changes }, { fail }) {
      const capabilities = changes.capabilities && unique(changes.capabilities)
      const workspace = await workspaces.update(workspace_id, { ...changes, capabilities }, person_id)
      if (workspace === undefined) return fail('not_found', 'There is no such workspace.')
      // A key that is being revoked now, or whose record could not be overwritten, may still have an active record.
      const { active, revoked } = await keys.digestsOfKeys(workspace_id, 2 * activeRecordTtlMs)
      await Promise.all([writeChangedRecords(ttl, active), writeRevokedRecords(ttl, revoked)])
      announceStanding(standingChanged, workspace_id)
      return workspace
    },

    async deleteWorkspace({ workspace_id }, { fail }) {
      const { active, revoked } = await keys.digestsOfKeys(workspace_id, 2 * activeRecordTtlMs)
      const result = await workspaces.delete(workspace_id)
      if (result === 'missing') return fail('not_found', 'There is no such workspace.')
      if (result === 'active')
        return fail('invalid_request', 'Only a suspended workspace can be deleted. Suspend it first.')
      await writeRevokedRecords(ttl, [...active, ...revoked])
      announceStanding(standingChanged, workspace_id)
      return {}
    },
  }
}
