import {
  type AccountLink,
  type Person,
  type Role,
  roleSchema,
  ServiceError,
  type WorkspaceMember,
} from '@parlance/contracts'
import { type Command, Option } from 'commander'
import { emailAddress, personName, workspaceId } from '../arguments.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'
import { findWorkspace, type OperatorCalls } from '../operator-calls.js'
import { record, table } from '../table.js'

/** Resolves with the address of the gateway when the services do not know it. */
export type FindGatewayUrl = () => Promise<string | undefined>

interface AddOptions extends OutputOptions {
  role: Role
  name?: string
}

const columns = [
  { title: 'E-MAIL', cell: ({ email }: WorkspaceMember) => email },
  { title: 'ROLE', cell: ({ role }: WorkspaceMember) => role },
  { title: 'PASSWORD', cell: ({ has_password }: WorkspaceMember) => (has_password ? 'yes' : 'no') },
  { title: 'NAME', cell: ({ name }: WorkspaceMember) => name },
]

const nameColumns = [
  { title: 'E-MAIL', cell: ({ email }: Person) => email },
  { title: 'NAME', cell: ({ name }: Person) => name },
]

const list = async (calls: OperatorCalls, id: string): Promise<Answer> => {
  await findWorkspace(calls, id)
  const { members } = await calls.people.listMembers({ workspace_id: id })
  const none = `This workspace has no member yet: \`parlance user invite ${id} <e-mail>\` invites one.`
  return { json: { members }, text: (width) => (members.length === 0 ? none : table(columns, members, width)) }
}

const add = async (calls: OperatorCalls, id: string, email: string, options: AddOptions): Promise<Answer> => {
  const { role, name } = options
  await findWorkspace(calls, id)
  const person = await calls.people.addPerson({ workspace_id: id, email, role, ...(name !== undefined && { name }) })
  const fields = { 'E-mail': person.email, Name: person.name, Workspace: id, Role: role }
  const next = `The person chooses a password with the link of\n\`parlance user password-link ${person.email}\`.`
  return { json: { ...person, role }, text: (width) => `${record(fields, width)}\n\n${next}` }
}

const changeRole = async (calls: OperatorCalls, id: string, email: string, role: Role): Promise<Answer> => {
  await findWorkspace(calls, id)
  const { members } = await calls.people.listMembers({ workspace_id: id })
  if (!members.some((member) => member.email === email.toLowerCase())) {
    throw new ServiceError('not_found', `${email} is not a member: \`parlance user list ${id}\` shows the members.`)
  }
  const person = await calls.people.addPerson({ workspace_id: id, email, role })
  const fields = { 'E-mail': person.email, Workspace: id, Role: role }
  return { json: { ...person, role }, text: (width) => record(fields, width) }
}

const remove = async (calls: OperatorCalls, id: string, email: string): Promise<Answer> => {
  await findWorkspace(calls, id)
  await calls.people.removeMember({ workspace_id: id, email })
  const fields = { 'E-mail': email, Workspace: id, Removed: 'yes' }
  return { json: { email, workspace_id: id, removed: true }, text: (width) => record(fields, width) }
}

const setOperator = async (calls: OperatorCalls, email: string, is_operator: boolean): Promise<Answer> => {
  const person = await calls.people.setOperator({ email, is_operator })
  const text = is_operator ? `${person.email} is an operator.` : `${person.email} is not an operator.`
  return { json: { ...person, is_operator }, text: () => text }
}

const listOperators = async (calls: OperatorCalls): Promise<Answer> => {
  const { operators } = await calls.people.listOperators({})
  const none = 'There is no operator: `parlance user operator <e-mail>` makes a person an operator.'
  return {
    json: { operators },
    text: (width) => (operators.length === 0 ? none : table(nameColumns, operators, width)),
  }
}

const signOut = async (calls: OperatorCalls, email: string): Promise<Answer> => {
  const { sessions } = await calls.people.signOutEverywhere({ email })
  const browsers = sessions === 1 ? '1 browser' : `${sessions} browsers`
  return { json: { email, sessions }, text: () => `Signed ${email} out of ${browsers}.` }
}

/** The link is on a separate line, because it is long and is copied. */
const linkAnswer = async (link: AccountLink, findGatewayUrl: FindGatewayUrl, purpose: string): Promise<Answer> => {
  const base = link.url === null ? await findGatewayUrl() : undefined
  const url = link.url ?? (base === undefined ? null : `${base}${link.path}`)
  const shown = url ?? `${link.path}\nPut the address of the gateway in front of it: PUBLIC_URL is not set.`
  return {
    json: { ...link, url },
    text: () => `This link ${purpose}, once, until ${link.expires_at}:\n${shown}`,
  }
}

const roleOption = () =>
  new Option('--role <role>', 'what the person may do').choices(roleSchema.options).default('member')

const addLinkCommands = (user: Command, { answer }: Runner, findGatewayUrl: FindGatewayUrl): void => {
  addCommand(user, 'invite', 'print a link with which a person joins a workspace', [
    '$WORKSPACE ada@example.com --role admin',
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .argument('<e-mail>', 'the address of the person', emailAddress)
    .addOption(roleOption())
    .action((id: string, email: string, { role, ...options }: OutputOptions & { role: Role }) =>
      answer(options, async (calls) => {
        await findWorkspace(calls, id)
        const link = await calls.people.createInvitation({ workspace_id: id, email, role })
        return linkAnswer(link, findGatewayUrl, 'lets the person join')
      }),
    )

  const links = [
    ['password-link', 'password', 'print a link to choose a new password', 'sets a new password'],
    ['sign-in-link', 'sign_in', 'print a link that signs a person in', 'signs the person in'],
  ] as const
  for (const [name, kind, description, purpose] of links) {
    addCommand(user, name, description, ['ada@example.com'])
      .argument('<e-mail>', 'the address of the person', emailAddress)
      .action((email: string, options: OutputOptions) =>
        answer(options, async (calls) =>
          linkAnswer(await calls.people.createAccountLink({ email, kind }), findGatewayUrl, purpose),
        ),
      )
  }
}

const addMemberCommands = (user: Command, { answer }: Runner): void => {
  addCommand(user, 'list', 'list the members of a workspace, oldest first', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls) => list(calls, id)))

  addCommand(user, 'add', 'make a person a member at once, without an invitation', [
    '$WORKSPACE ada@example.com --role owner --name Ada',
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .argument('<e-mail>', 'the address of the person', emailAddress)
    .addOption(roleOption())
    .option('--name <name>', 'the name of a person who is new', personName)
    .action((id: string, email: string, options: AddOptions) =>
      answer(options, (calls) => add(calls, id, email, options)),
    )

  addCommand(user, 'role', 'change what a member may do', ['$WORKSPACE ada@example.com admin'])
    .argument('<workspace>', 'its id', workspaceId)
    .argument('<e-mail>', 'the address of the member', emailAddress)
    .addArgument(user.createArgument('<role>', 'the new role').choices(roleSchema.options))
    .action((id: string, email: string, role: Role, options: OutputOptions) =>
      answer(options, (calls) => changeRole(calls, id, email, role)),
    )

  addCommand(user, 'remove', 'end a membership, and all that the person has open', ['$WORKSPACE ada@example.com'])
    .argument('<workspace>', 'its id', workspaceId)
    .argument('<e-mail>', 'the address of the member', emailAddress)
    .action((id: string, email: string, options: OutputOptions) => answer(options, (calls) => remove(calls, id, email)))

  addCommand(user, 'sign-out-everywhere', 'sign a person out in all browsers', ['ada@example.com'])
    .argument('<e-mail>', 'the address of the person', emailAddress)
    .action((email: string, options: OutputOptions) => answer(options, (calls) => signOut(calls, email)))
}

const addOperatorCommands = (user: Command, { answer }: Runner): void => {
  addCommand(user, 'operator', 'give a person the rights of an operator in the dashboard', [
    'ada@example.com',
    'ada@example.com --remove',
  ])
    .argument('<e-mail>', 'the address of the person', emailAddress)
    .option('--remove', 'withdraw these rights')
    .action((email: string, { remove: isRemoved, ...options }: OutputOptions & { remove?: true }) =>
      answer(options, (calls) => setOperator(calls, email, isRemoved === undefined)),
    )

  addCommand(user, 'operators', 'list the operators', ['']).action((options: OutputOptions) =>
    answer(options, listOperators),
  )
}

export const addUserCommands = (program: Command, runner: Runner, findGatewayUrl: FindGatewayUrl): void => {
  const user = addGroup(program, 'user', 'the people who use the dashboard, and their roles in workspaces')
  addMemberCommands(user, runner)
  addLinkCommands(user, runner, findGatewayUrl)
  addOperatorCommands(user, runner)
}
