/** Commands for a workspace, by the public API and a key: Agents, conversations and speech. */
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import {
  type Agent,
  agentPageSchema,
  agentSchema,
  publicationSchema,
  type SessionSummary,
  sessionRecordSchema,
  sessionSummarySchema,
  voicePageSchema,
} from '@parlance/contracts'
import { StartupError } from '@parlance/runtime/process'
import type { Command } from 'commander'
import { z } from 'zod'
import { type ApiAccess, callApi, findAgent } from '../api.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'
import { record, table } from '../table.js'

const sessionPageSchema = z.object({ sessions: z.array(sessionSummarySchema), next_cursor: z.string().nullable() })

const readConfig = async (path: string): Promise<object> => {
  try {
    const text = path === '-' ? await buffer(process.stdin) : await readFile(path)
    return z.record(z.string(), z.unknown()).parse(JSON.parse(String(text)))
  } catch (cause) {
    throw new StartupError([`${path} is not a file with a JSON object.`], { cause })
  }
}

const versionOf = ({ active_publication }: Agent): string =>
  active_publication === null ? 'not published' : `version ${active_publication.version}`

const agentColumns = [
  { title: 'SLUG', cell: ({ slug }: Agent) => slug },
  { title: 'ID', cell: ({ id }: Agent) => id },
  { title: 'PUBLISHED', cell: versionOf },
  { title: 'NAME', cell: ({ display_name }: Agent) => display_name },
]

const agentAnswer = (agent: Agent): Answer => ({
  json: agent,
  text: (width) =>
    record(
      {
        Id: agent.id,
        Slug: agent.slug,
        Name: agent.display_name,
        'Language model': `${agent.llm_provider} ${agent.llm_model}`,
        Voice: agent.voice_id,
        Draft: `revision ${agent.draft_revision.version}`,
        Published: versionOf(agent),
      },
      width,
    ),
})

const secondsOf = ({ duration_seconds }: SessionSummary): string => `${Math.round(duration_seconds)} s`

const sessionColumns = [
  { title: 'ID', cell: ({ id }: SessionSummary) => id },
  { title: 'CREATED', cell: ({ created_at }: SessionSummary) => created_at.slice(0, 16) },
  { title: 'LENGTH', cell: secondsOf },
  { title: 'STATUS', cell: ({ status, end_reason }: SessionSummary) => end_reason ?? status },
]

export const addApiCommands = (program: Command, { answerAlone }: Runner, findApi: () => Promise<ApiAccess>): void => {
  const answer = (options: OutputOptions, work: (api: ApiAccess) => Promise<Answer>) =>
    answerAlone(options, async () => work(await findApi()))

  const agents = addGroup(program, 'agent', 'Agents of a workspace, with an API key')
  addCommand(agents, 'list', 'list the Agents', ['']).action((options: OutputOptions) =>
    answer(options, async (api) => {
      const page = agentPageSchema.parse(await (await callApi(api, '/v1/agents?limit=100')).json())
      return { json: page, text: (width) => table(agentColumns, page.agents, width) }
    }),
  )
  addCommand(agents, 'show <agent>', 'show an Agent by its slug or id; --json prints its configuration', [
    'front-desk',
    'front-desk --json > front-desk.json',
  ]).action((name: string, options: OutputOptions) =>
    answer(options, async (api) => agentAnswer(await findAgent(api, name))),
  )
  addCommand(agents, 'create <file>', 'create an Agent from a JSON file, or from standard input with -', [
    'front-desk.json',
  ]).action((path: string, options: OutputOptions) =>
    answer(options, async (api) => {
      const created = await callApi(api, '/v1/agents', { body: await readConfig(path) })
      return agentAnswer(agentSchema.parse(await created.json()))
    }),
  )
  addCommand(agents, 'update <agent> <file>', 'change the fields of the draft that a JSON file has', [
    'front-desk changes.json',
  ]).action((name: string, path: string, options: OutputOptions) =>
    answer(options, async (api) => {
      const body = await readConfig(path)
      const { id } = await findAgent(api, name)
      const updated = await callApi(api, `/v1/agents/${id}`, { method: 'PATCH', body })
      return agentAnswer(agentSchema.parse(await updated.json()))
    }),
  )
  addCommand(agents, 'publish <agent>', 'publish the draft', ['front-desk']).action(
    (name: string, options: OutputOptions) =>
      answer(options, async (api) => {
        const { id } = await findAgent(api, name)
        const published = await callApi(api, `/v1/agents/${id}/publish`, { method: 'POST' })
        const publication = publicationSchema.parse(await published.json())
        return { json: publication, text: () => `${name} is published as version ${publication.version}.` }
      }),
  )

  const conversations = addGroup(program, 'conversation', 'conversations with Agents, with an API key')
  addCommand(conversations, 'list', 'list the latest conversations', ['', '--agent front-desk'])
    .option('--agent <agent>', 'those with this Agent')
    .action(({ agent, ...options }: OutputOptions & { agent?: string }) =>
      answer(options, async (api) => {
        const filter = agent === undefined ? '' : `?agent_id=${(await findAgent(api, agent)).id}`
        const page = sessionPageSchema.parse(await (await callApi(api, `/v1/agent-sessions${filter}`)).json())
        return { json: page, text: (width) => table(sessionColumns, page.sessions, width) }
      }),
    )
  addCommand(conversations, 'show <conversation>', 'show what was said', [
    '8b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  ]).action((id: string, options: OutputOptions) =>
    answer(options, async (api) => {
      const found = await callApi(api, `/v1/agent-sessions/${encodeURIComponent(id)}`)
      const conversation = sessionRecordSchema.parse(await found.json())
      const lines = conversation.transcript.map(({ role, text }) => `${role}: ${text}`)
      return { json: conversation, text: () => lines.join('\n') || 'Nothing was said.' }
    }),
  )

  addCommand(program, 'speak <text>', 'speak a text into a WAV file, with an API key', [
    '"Hello there." --out hello.wav',
    '"Guten Tag." --language de --out hallo.wav',
  ])
    .requiredOption('--out <file>', 'the file that is written')
    .option('--voice <id>', 'a voice (default: the first one of the catalog)')
    .option('--language <tag>', 'the language of the voice')
    .action((text: string, { out, voice, language, ...options }: SpeakOptions) =>
      answer(options, async (api) => {
        const voice_id = voice ?? (await firstVoice(api, language))
        const output = { format: 'wav' }
        const spoken = await callApi(api, '/v1/tts', { body: { text, voice_id, output } })
        const wav = new Uint8Array(await spoken.arrayBuffer())
        await writeFile(out, wav)
        return { json: { file: out, voice_id, bytes: wav.length }, text: () => `${out}: ${wav.length} bytes` }
      }),
    )
}

interface SpeakOptions extends OutputOptions {
  readonly out: string
  readonly voice?: string
  readonly language?: string
}

const firstVoice = async (api: ApiAccess, language: string | undefined): Promise<string> => {
  const filter = language === undefined ? '' : `&language=${encodeURIComponent(language)}`
  const page = voicePageSchema.parse(await (await callApi(api, `/v1/voices?limit=1${filter}`)).json())
  const [voice] = page.voices
  if (voice === undefined) throw new StartupError(['There is no such voice.'])
  return voice.id
}
