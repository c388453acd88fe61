import { resolve } from 'node:path'
import { StartupError } from '@parlance/runtime/process'
import { type Command, InvalidArgumentError } from 'commander'
import { webAddress } from '../arguments.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'
import { findProfile, type Profile, type Profiles } from '../profiles.js'
import { table } from '../table.js'

/** The profiles of this user. */
export interface ProfileStore {
  read(): Promise<Profiles>
  write(profiles: Profiles): Promise<void>
  /** The key in `PARLANCE_API_KEY`, or the one that a person enters; undefined without both. */
  readKey(): Promise<string | undefined>
}

interface AddOptions extends OutputOptions {
  readonly url?: string
  readonly nats?: string
  readonly natsCreds?: string
  readonly data?: string
}

const profileName = (value: string): string => {
  if (/^[\w.-]{1,64}$/.test(value)) return value
  throw new InvalidArgumentError('It must have 1 to 64 letters, digits, dots, _ and -.')
}

const reaches = ({ PARLANCE_URL, NATS_URL, PARLANCE_DATA }: Profile): string =>
  [PARLANCE_URL, NATS_URL, PARLANCE_DATA].filter((way) => way !== undefined).join(', ')

/** Without keys and passwords. */
const answerOf = ({ used, profiles }: Profiles): Answer => {
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    name,
    used: name === used,
    reaches: reaches(profile),
  }))
  const columns = [
    { title: 'NAME', cell: ({ name }: (typeof rows)[number]) => name },
    { title: 'USED', cell: ({ used }: (typeof rows)[number]) => (used ? 'yes' : '') },
    { title: 'REACHES', cell: ({ reaches }: (typeof rows)[number]) => reaches.replaceAll(/\/\/[^@/]*@/g, '//') },
  ]
  return {
    json: { profiles: rows.map((row) => ({ ...row, reaches: columns[2]!.cell(row) })) },
    text: (width) => (rows.length === 0 ? 'There are no profiles.' : table(columns, rows, width)),
  }
}

export const addProfileCommands = (program: Command, { answerAlone }: Runner, store: ProfileStore): void => {
  const group = addGroup(program, 'profile', 'installations that this user works on')
  const change = (options: OutputOptions, work: (profiles: Profiles) => Profiles | Promise<Profiles>) =>
    answerAlone(options, async () => {
      const profiles = await work(await store.read())
      await store.write(profiles)
      return answerOf(profiles)
    })

  addCommand(group, 'add', 'store how an installation is reached, and use it', [
    'work --url https://speech.example.com',
    'operations --nats tls://nats.example.com:4222 --nats-creds cli.creds',
  ])
    .argument('<name>', 'a name of your choice', profileName)
    .option('--url <address>', 'the address of the API; the key is PARLANCE_API_KEY, or is asked for', webAddress)
    .option('--nats <address>', 'the address of NATS, for what operators do')
    .option('--nats-creds <file>', 'the credentials file of its user `cli`')
    .option('--data <folder>', 'the data folder of an npm start on this machine')
    .action((name: string, { url, nats, natsCreds, data, ...options }: AddOptions) =>
      change(options, async ({ profiles }) => {
        if (url === undefined && nats === undefined && data === undefined) {
          throw new StartupError(['Say how the installation is reached: --url, --nats or --data.'])
        }
        const key = url === undefined ? undefined : await store.readKey()
        if (url !== undefined && !key) throw new StartupError(['Set PARLANCE_API_KEY to a key of the workspace.'])
        const profile = {
          ...(url !== undefined && { PARLANCE_URL: url, PARLANCE_API_KEY: key! }),
          ...(nats !== undefined && { NATS_URL: nats }),
          ...(natsCreds !== undefined && { NATS_CREDS_FILE: resolve(natsCreds), NATS_INBOX_PREFIX: '_INBOX_cli' }),
          ...(data !== undefined && { PARLANCE_DATA: resolve(data) }),
        }
        return { used: name, profiles: { ...profiles, [name]: profile } }
      }),
    )
  addCommand(group, 'use <name>', 'use a profile; PARLANCE_PROFILE=NAME does so for one command', ['work']).action(
    (name: string, options: OutputOptions) =>
      change(options, (profiles) => {
        findProfile(profiles, name)
        return { ...profiles, used: name }
      }),
  )
  addCommand(group, 'list', 'list the profiles', ['']).action((options: OutputOptions) =>
    answerAlone(options, async () => answerOf(await store.read())),
  )
  addCommand(group, 'remove <name>', 'remove a profile', ['work']).action((name: string, options: OutputOptions) =>
    change(options, (profiles) => {
      findProfile(profiles, name)
      const { [name]: _, ...others } = profiles.profiles
      return { used: profiles.used === name ? null : profiles.used, profiles: others }
    }),
  )
}
