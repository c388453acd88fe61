import { type CommandLineEnvironment, type OperatorCalls, runCommandLine } from '@parlance/cli'
import {
  type Capability,
  defaultWorkspaceLimits,
  type Reconciliation,
  type Role,
  ServiceError,
  workspaceSchema,
} from '@parlance/contracts'
import { sampleOf } from '@parlance/testing'
import { type InstallationEnvironment, installationCommands } from '../src/commands.js'
import { createFakeModelTools } from './fake-model-tools.js'

type Changeable<Calls> = { -readonly [Name in keyof Calls]: Calls[Name] }

/** A test may replace any reply. */
interface FakeServices extends OperatorCalls {
  readonly auth: Changeable<OperatorCalls['auth']>
  readonly credit: Changeable<OperatorCalls['credit']>
  readonly people: Changeable<OperatorCalls['people']>
  readonly modelProviders: Changeable<OperatorCalls['modelProviders']>
}

export const workspaceId = '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'
export const keyId = '5b1c7c52-4f0f-4a55-9e2f-6c1d0e8a7b21'
export const apiKey = 'awp_dev_0123456789abcdefghijklmnopqrstuvwxyzAB'
const now = '2026-01-31T09:30:00.000Z'

const workspace = sampleOf(workspaceSchema, {
  ...{ id: workspaceId, name: 'Acme', capabilities: ['tts', 'agents'], created_at: now },
  ...defaultWorkspaceLimits,
})
const balance = { balance: '112.40', unit: 'credit' as const, reserved: '0.10', updated_at: now }
const person = { id: '8b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', email: 'ada@example.com', name: 'Ada' }
const expires_at = '2026-01-31T10:30:00.000Z'
const dates = { created_at: now, last_used_at: null, revoked_at: null }
const key = { id: keyId, workspace_id: workspaceId, label: 'First', prefix: 'awp_dev_0123', ...dates }
const nothingUsed = { tts_characters: 0, session_seconds: 0, stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0 }

export const reconciliation: Reconciliation = {
  workspace_id: workspaceId,
  granted: '100.00',
  available: '80.00',
  leased: '10.00',
  held: '0.10',
  spent: '9.90',
  ledger_difference: '0.00',
  counter_difference: '0.00',
}

const notCalled = () => Promise.reject(new Error('not called by the command line'))

type FakeEnvironment = CommandLineEnvironment & InstallationEnvironment

/** What a command prints, and the exit code it ends with. */
const runOn = async (calls: OperatorCalls, args: readonly string[], environment: Partial<FakeEnvironment>) => {
  let output = ''
  let errors = ''
  const whole: FakeEnvironment = {
    openCalls: async () => calls,
    openRunningCalls: async () => calls,
    openTestedPlatform: notCalled,
    migrate: async () => [],
    findToolKey: async () => 'whpk_VVWKJ7E0ChAC2UTPVqiYS9ZLhVPB0YbGTQaOcsFvkLE=',
    findGatewayUrl: async () => 'http://127.0.0.1:8080',
    findApi: notCalled,
    profiles: { read: async () => ({ used: null, profiles: {} }), write: async () => {}, readKey: async () => apiKey },
    openModels: async () => createFakeModelTools(),
    modelsDir: 'models',
    diagnose: async () => [{ check: 'redis', status: 'ok', found: 'Redis 7.2.4 at redis:6379 answers.' }],
    isColored: false,
    progress: () => {},
    print: (text) => {
      output += text
    },
    printError: (text) => {
      errors += text
    },
    width: 80,
    ...environment,
  }
  const exitCode = await runCommandLine(args, { ...whole, addCommands: installationCommands(whole) })
  return { exitCode, output, errors }
}

/**
 * Services that know one workspace with one key, and the command line that calls them. `asked` lists their calls, including
 * `close`.
 */
export const createFakeServices = () => {
  const asked: [string, unknown][] = []
  const known = ({ workspace_id }: { workspace_id: string }) => {
    if (workspace_id !== workspaceId) throw new ServiceError('not_found', 'There is no such workspace.')
  }
  const calls: FakeServices = {
    auth: {
      createWorkspace: async (request: { name: string; capabilities: Capability[] }) => ({ ...workspace, ...request }),
      async getWorkspace(request: { workspace_id: string }) {
        known(request)
        return workspace
      },
      listWorkspaces: async ({ cursor }: { cursor?: string | undefined }) =>
        cursor === undefined
          ? { workspaces: [workspace], next_cursor: 'second' }
          : { workspaces: [{ ...workspace, name: 'Beta', suspended: true, capabilities: [] }], next_cursor: null },
      updateWorkspace: async ({ workspace_id: _, ...changes }: object & { workspace_id: string }) => ({
        ...workspace,
        ...changes,
      }),
      deleteWorkspace: async () => ({}),
      createKey: async ({ label }: { label: string }) => ({ ...key, label, status: 'active' as const, key: apiKey }),
      listKeys: async () => ({
        keys: [
          { ...key, status: 'active' as const },
          { ...key, status: 'active' as const, last_used_at: now, label: 'Used' },
          { ...key, status: 'revoked' as const, revoked_at: now, label: 'Gone' },
        ],
        next_cursor: null,
        member_keys: [],
      }),
      async revokeKey({ key_id }: { key_id: string }) {
        if (key_id !== keyId) throw new ServiceError('not_found', 'There is no such key.')
        return { ...key, status: 'revoked' as const, revoked_at: now }
      },
      verifyKey: notCalled,
      getKeyWorkspace: notCalled,
      addAgentKey: notCalled,
      findEndedKeys: notCalled,
      recordKeyUse: notCalled,
    },
    credit: {
      grant: async ({ reference }: { reference: string }) => ({ ...balance, replayed: reference === 'again' }),
      getBalance: async () => balance,
      getUsage: async (request: { from: string; to: string; group_by: 'day' | 'agent' | 'api_key' | 'kind' }) => ({
        from: request.from,
        to: request.to,
        group_by: request.group_by,
        usage: [
          { key: '2026-01-30', credit_used: '0.0412', operations: 3, ...nothingUsed, tts_characters: 1210 },
          { key: null, credit_used: '0.00', operations: 1, ...nothingUsed },
        ],
      }),
      reconcile: async () => ({ workspaces: [reconciliation] }),
      lease: notCalled,
      resolve: notCalled,
      requireCredit: notCalled,
    },
    people: {
      listMembers: async () => ({ members: [{ ...person, role: 'owner' as const, has_password: false }] }),
      addPerson: async ({ email, name }: { email: string; name?: string | undefined; role: Role }) => ({
        ...person,
        email,
        name: name ?? person.name,
      }),
      createInvitation: async () => ({ path: '/invitation?id=1', url: null, expires_at }),
      createAccountLink: async ({ kind }: { kind: string }) => ({
        path: `/${kind}?token=abc`,
        url: null,
        expires_at,
      }),
      async removeMember({ email }: { email: string }) {
        if (email !== person.email) throw new ServiceError('not_found', 'There is no person with this address.')
        return {}
      },
      setOperator: async () => person,
      listOperators: async () => ({ operators: [person] }),
      getOperator: notCalled,
      signOutEverywhere: async () => ({ sessions: 2 }),
      handleAccountRequest: notCalled,
      getSignedIn: notCalled,
      getMember: notCalled,
      getInvitation: notCalled,
      createInvitedPerson: notCalled,
      listIdentityProviders: notCalled,
    },
    // Commands that talk with Agents have a platform of their own.
    sessions: {} as OperatorCalls['sessions'],
    tokens: {} as OperatorCalls['tokens'],
    modelProviders: {
      listProviders: async () => ({ providers: [] }),
      findModelServers: async () => ({
        found: [{ name: 'Ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }],
        configured: [],
      }),
      createProvider: async () => ({
        ...{ id: keyId, kind: 'openai_compatible' as const, name: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
        ...{ has_key: false, created_at: now },
      }),
      listProviderModels: notCalled,
      testProvider: notCalled,
      getSealedProvider: notCalled,
      deleteProvider: notCalled,
    },
    async close() {
      asked.push(['close', undefined])
    },
  }

  for (const contract of [calls.auth, calls.credit, calls.people, calls.modelProviders] as Record<
    string,
    (request: never) => Promise<unknown>
  >[]) {
    for (const [name, call] of Object.entries(contract)) {
      contract[name] = (request) => {
        asked.push([name, request])
        return call(request)
      }
    }
  }
  return {
    calls,
    asked,
    /** The requests with which one call was made. */
    askedFor: (name: string) => asked.filter(([call]) => call === name).map(([, request]) => request),
    /** Words with spaces are passed as a list. */
    run: (args: string | readonly string[], environment: Partial<FakeEnvironment> = {}) =>
      runOn(calls, typeof args === 'string' ? args.split(' ') : args, environment),
  }
}
