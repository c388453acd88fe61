import { apiKeySchema, authContract, workspaceSchema } from '@parlance/contracts'
import { fakeHandlers, sampleOf } from '@parlance/testing'

export const workspaceId = '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
export const keyId = '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'

const workspace = sampleOf(workspaceSchema, { id: workspaceId, name: 'Test', capabilities: ['tts', 'stt', 'agents'] })
const apiKey = sampleOf(apiKeySchema, { id: keyId, workspace_id: workspaceId, label: 'Web site', prefix: 'awp_dev_1' })

export interface FakeAuthState {
  /** The error with which streams are refused, if any. */
  readonly admission: 'insufficient_credit' | 'organization_suspended' | 'capability_disabled' | undefined
  /** The limit of open streams of the workspace. Default: that of the contract. */
  readonly streamLimit: number | undefined
  /** Whether the key that minted every token is revoked. */
  readonly revoked: boolean
  /** The requests of `updateWorkspace` and `listWorkspaces`, in order. */
  readonly changes: object[]
}

export const createFakeAuth = (fakes: FakeAuthState) =>
  fakeHandlers(authContract, {
    getKeyWorkspace: (_request, { fail }) =>
      fakes.revoked
        ? fail('unauthorized', 'The key is revoked.')
        : {
            ...workspace,
            max_concurrent_streams: fakes.streamLimit ?? workspace.max_concurrent_streams,
            suspended: fakes.admission === 'organization_suspended',
            capabilities: fakes.admission === 'capability_disabled' ? [] : workspace.capabilities,
          },
    addAgentKey: () => workspace,
    getWorkspace: ({ workspace_id }, { fail }) =>
      workspace_id === workspaceId ? workspace : fail('not_found', 'There is no such workspace.'),
    listWorkspaces(request) {
      fakes.changes.push(request)
      return { workspaces: [workspace], next_cursor: null }
    },
    updateWorkspace(request) {
      fakes.changes.push(request)
      return { ...workspace, name: request.name ?? workspace.name, suspended: request.suspended ?? false }
    },
    listKeys: () => ({ keys: [apiKey], next_cursor: null, member_keys: [] }),
    createKey: ({ label }) => ({ ...apiKey, label, key: 'awp_dev_new' }),
    revokeKey: ({ key_id }, { fail }) =>
      key_id === keyId ? { ...apiKey, status: 'revoked' } : fail('not_found', 'There is no such key.'),
    findEndedKeys: ({ key_ids }) => ({
      ended: fakes.revoked ? key_ids.map((key_id) => ({ key_id, code: 'unauthorized' as const })) : [],
    }),
  })
