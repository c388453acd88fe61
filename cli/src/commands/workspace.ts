import {
  type Capability,
  capabilitySchema,
  defaultWorkspaceLimits,
  ServiceError,
  type Workspace,
  type WorkspaceLimits,
} from '@parlance/contracts'
import { type Command, Option } from 'commander'
import { amount, capabilities, concurrencyLimit, keyLabel, workspaceId, workspaceName } from '../arguments.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Progress, type Runner } from '../command.js'
import { allPages, findWorkspace, type OperatorCalls } from '../operator-calls.js'
import { record, table } from '../table.js'

const stateOf = ({ suspended }: Workspace) => (suspended ? 'suspended' : 'active')
const capabilitiesOf = ({ capabilities }: Workspace) => capabilities.join(', ') || 'none'

const limitOf = (count: number) => (count === 0 ? 'no limit' : String(count))

const fieldsOf = (workspace: Workspace) => ({
  Workspace: workspace.id,
  Name: workspace.name,
  Capabilities: capabilitiesOf(workspace),
  State: stateOf(workspace),
  'Conversations at once': limitOf(workspace.max_concurrent_sessions),
  'Streams at once': limitOf(workspace.max_concurrent_streams),
  Created: workspace.created_at,
})

const answerWith = (workspace: Workspace): Answer => ({
  json: workspace,
  text: (width) => record(fieldsOf(workspace), width),
})

interface LimitOptions {
  maxSessions?: number
  maxStreams?: number
}

/** The limits of the options. */
const limitsIn = ({ maxSessions, maxStreams }: LimitOptions): Partial<WorkspaceLimits> => ({
  ...(maxSessions !== undefined && { max_concurrent_sessions: maxSessions }),
  ...(maxStreams !== undefined && { max_concurrent_streams: maxStreams }),
})

interface CreateOptions extends OutputOptions, LimitOptions {
  capability?: Capability[]
  credit?: string
  key?: string
}

/** The workspace exists even when a step after it fails, so the error names the workspace. */
const afterCreating = async <T>({ id }: Workspace, what: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `Workspace ${id} was created, but without ${what}: ${error.detail}`)
  }
}

const create = async ({ auth, credit }: OperatorCalls, name: string, options: CreateOptions): Promise<Answer> => {
  const workspace = await auth.createWorkspace({
    name,
    capabilities: options.capability ?? capabilitySchema.options,
    ...limitsIn(options),
  })
  const grant = { workspace_id: workspace.id, amount: options.credit ?? '', reference: 'workspace create' }
  const balance = options.credit === undefined ? null : await afterCreating(workspace, 'credit', credit.grant(grant))
  const newKey = { workspace_id: workspace.id, label: options.key ?? '' }
  const key = options.key === undefined ? null : await afterCreating(workspace, 'a key', auth.createKey(newKey))
  return {
    json: { workspace, credit: balance, key },
    text: (width) =>
      record(
        {
          ...fieldsOf(workspace),
          ...(balance && { Credit: balance.balance }),
          ...(key && { Key: key.key, '': 'The key is shown only once.' }),
        },
        width,
      ),
  }
}

const list = async ({ auth }: OperatorCalls, progress: Progress): Promise<Answer> => {
  const readPage = async (at: { cursor?: string }) => {
    const { workspaces, next_cursor } = await auth.listWorkspaces({ ...at, limit: 100 })
    return { items: workspaces, nextCursor: next_cursor }
  }
  const workspaces = await allPages(readPage, (count) => progress(`${count} workspaces so far …`))
  const columns = [
    { title: 'WORKSPACE', cell: ({ id }: Workspace) => id },
    { title: 'CAPABILITIES', cell: capabilitiesOf },
    { title: 'STATE', cell: stateOf },
    { title: 'NAME', cell: ({ name }: Workspace) => name },
  ]
  return {
    json: { workspaces },
    text: (width) =>
      workspaces.length === 0
        ? 'There is no workspace yet: `parlance workspace create <name>` creates one.'
        : table(columns, workspaces, width),
  }
}

interface CapabilitiesOptions extends OutputOptions {
  add?: Capability[]
  remove?: Capability[]
  set?: Capability[]
}

const changeCapabilities = async (
  calls: OperatorCalls,
  id: string,
  { add = [], remove = [], set }: CapabilitiesOptions,
): Promise<Answer> => {
  const workspace = await findWorkspace(calls, id)
  if (set === undefined && add.length + remove.length === 0) return answerWith(workspace)
  const wanted = set ?? [...workspace.capabilities, ...add].filter((name) => !remove.includes(name))
  return answerWith(await calls.auth.updateWorkspace({ workspace_id: id, capabilities: wanted }))
}

const changeLimits = async (
  calls: OperatorCalls,
  id: string,
  options: OutputOptions & LimitOptions,
): Promise<Answer> => {
  const workspace = await findWorkspace(calls, id)
  const limits = limitsIn(options)
  if (Object.keys(limits).length === 0) return answerWith(workspace)
  return answerWith(await calls.auth.updateWorkspace({ workspace_id: id, ...limits }))
}

const setSuspended = async (calls: OperatorCalls, id: string, suspended: boolean): Promise<Answer> => {
  await findWorkspace(calls, id)
  return answerWith(await calls.auth.updateWorkspace({ workspace_id: id, suspended }))
}

const remove = async (calls: OperatorCalls, id: string): Promise<Answer> => {
  const { name } = await findWorkspace(calls, id)
  await calls.auth.deleteWorkspace({ workspace_id: id })
  return { json: { id, deleted: true }, text: () => `Workspace ${id} (${name}) was deleted.` }
}

const maxSessions = () =>
  new Option(
    '--max-sessions <count>',
    `conversations at once, 0 for no limit (default of a new workspace: ${defaultWorkspaceLimits.max_concurrent_sessions})`,
  ).argParser(concurrencyLimit)
const maxStreams = () =>
  new Option(
    '--max-streams <count>',
    `streams of speech at once, 0 for no limit (default of a new workspace: ${defaultWorkspaceLimits.max_concurrent_streams})`,
  ).argParser(concurrencyLimit)

export const addWorkspaceCommands = (program: Command, { answer }: Runner): void => {
  const workspace = addGroup(
    program,
    'workspace',
    'the customers of Parlance: each has its own keys, credit and agents',
  )

  addCommand(workspace, 'create', 'create a workspace', [
    'Acme --credit 100 --key First',
    '"Speech alone" --capability tts --json',
  ])
    .argument('<name>', 'what people call it', workspaceName)
    .option(
      '--capability <name>',
      `what it may use, once for each: ${capabilitySchema.options.join(', ')} (default: all)`,
      capabilities,
    )
    .addOption(maxSessions())
    .addOption(maxStreams())
    .option('--credit <amount>', 'credit to begin with', amount)
    .option('--key <label>', 'also create an API key, which is shown only once', keyLabel)
    .action((name: string, options: CreateOptions) => answer(options, (calls) => create(calls, name, options)))

  addCommand(workspace, 'list', 'list all workspaces, oldest first', ['', '--json']).action((options: OutputOptions) =>
    answer(options, list),
  )

  addCommand(workspace, 'show', 'show one workspace', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) =>
      answer(options, async (calls) => answerWith(await findWorkspace(calls, id))),
    )

  addCommand(workspace, 'suspend', 'refuse all requests of a workspace', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls) => setSuspended(calls, id, true)))

  addCommand(workspace, 'resume', 'serve a suspended workspace again', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls) => setSuspended(calls, id, false)))

  addCommand(workspace, 'delete', 'delete a suspended workspace for good, with its keys and members', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls) => remove(calls, id)))

  addCommand(workspace, 'capabilities', 'show or change what a workspace may use', [
    '$WORKSPACE --remove agents',
    '$WORKSPACE --set tts,agents',
    "$WORKSPACE --set ''",
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .option('--add <name>', 'give it this one', capabilities)
    .option('--remove <name>', 'take this one away', capabilities)
    .addOption(
      new Option('--set <names>', "give it these and no others, with commas between them ('' for none)")
        .argParser(capabilities)
        .conflicts(['add', 'remove']),
    )
    .action((id: string, options: CapabilitiesOptions) =>
      answer(options, (calls) => changeCapabilities(calls, id, options)),
    )

  addCommand(workspace, 'limits', 'show or change the limits of a workspace', [
    '$WORKSPACE',
    '$WORKSPACE --max-sessions 100 --max-streams 0',
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .addOption(maxSessions())
    .addOption(maxStreams())
    .action((id: string, options: OutputOptions & LimitOptions) =>
      answer(options, (calls) => changeLimits(calls, id, options)),
    )
}
