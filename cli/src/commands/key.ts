import { type ApiKey, ServiceError } from '@parlance/contracts'
import type { Command } from 'commander'
import { keyId, keyLabel, workspaceId } from '../arguments.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Progress, type Runner } from '../command.js'
import { allPages, findWorkspace, type OperatorCalls } from '../operator-calls.js'
import { record, table } from '../table.js'

const create = async (calls: OperatorCalls, id: string, label: string): Promise<Answer> => {
  await findWorkspace(calls, id)
  const key = await calls.auth.createKey({ workspace_id: id, label })
  const fields = { 'Key id': key.id, Workspace: id, Label: label, Key: key.key, '': 'The key is shown only once.' }
  return { json: key, text: (width) => record(fields, width) }
}

const stateOf = ({ status, last_used_at }: ApiKey) =>
  status === 'revoked' ? 'revoked' : last_used_at === null ? 'never used' : `used ${last_used_at.slice(0, 10)}`

const columns = [
  { title: 'KEY ID', cell: ({ id }: ApiKey) => id },
  { title: 'BEGINS WITH', cell: ({ prefix }: ApiKey) => prefix },
  { title: 'STATE', cell: stateOf },
  { title: 'LABEL', cell: ({ label }: ApiKey) => label },
]

const list = async (calls: OperatorCalls, id: string, progress: Progress): Promise<Answer> => {
  await findWorkspace(calls, id)
  const readPage = async (at: { cursor?: string }) => {
    const page = await calls.auth.listKeys({ ...at, workspace_id: id, limit: 100 })
    return { items: page.keys, nextCursor: page.next_cursor }
  }
  const keys = await allPages(readPage, (count) => progress(`${count} keys so far …`))
  return {
    json: { keys },
    text: (width) =>
      keys.length === 0
        ? `This workspace has no key yet: \`parlance key create ${id} --label <text>\` creates one.`
        : table(columns, keys, width),
  }
}

const revoke = async (calls: OperatorCalls, id: string, keyId: string): Promise<Answer> => {
  const { name } = await findWorkspace(calls, id)
  try {
    const key = await calls.auth.revokeKey({ workspace_id: id, key_id: keyId })
    const fields = { 'Key id': keyId, Workspace: `${id} (${name})`, Label: key.label, Revoked: key.revoked_at ?? '' }
    return { json: key, text: (width) => record(fields, width) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      `The workspace has no key ${keyId}: \`parlance key list ${id}\` shows its keys.`,
    )
  }
}

export const addKeyCommands = (program: Command, { answer }: Runner): void => {
  const key = addGroup(program, 'key', 'the API keys of a workspace')

  addCommand(key, 'create', 'create a key, which is shown only once', ['$WORKSPACE --label "Web site"'])
    .argument('<workspace>', 'whose key it will be: an id', workspaceId)
    .requiredOption('--label <text>', 'what it is for', keyLabel)
    .action((id: string, options: OutputOptions & { label: string }) =>
      answer(options, (calls) => create(calls, id, options.label)),
    )

  addCommand(key, 'list', 'list the keys of a workspace, newest first', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls, progress) => list(calls, id, progress)))

  addCommand(key, 'revoke', 'refuse a key from now on, for good', ['$WORKSPACE $KEY'])
    .argument('<workspace>', 'whose key it is: an id', workspaceId)
    .argument('<key>', 'its id', keyId)
    .action((id: string, keyId: string, options: OutputOptions) => answer(options, (calls) => revoke(calls, id, keyId)))
}
