// The pages of Agents in every state.
import { click } from './actions.mjs'
import { at, failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'
import { providers } from './provider-scenes.mjs'

const voiceId = (number) => String(number).repeat(32)

const voice = (number, name, more = {}) => ({
  id: voiceId(number),
  display_name: name,
  description: '',
  languages: ['en-GB'],
  gender: 'female',
  tags: ['warm'],
  status: 'available',
  preview_url: `/v1/voices/${voiceId(number)}/preview`,
  license: 'CC0-1.0',
  variants: [{ id: 'standard', display_name: 'Standard' }],
  ...more,
})
const voices = [
  voice(1, 'Alma'),
  voice(2, longName, { languages: ['de', 'en-US'], gender: 'male', tags: ['calm', 'deep', 'news'] }),
  voice(3, rightToLeft, { languages: ['ar'], gender: 'neutral', tags: [] }),
  voice(4, 'Bruno', { status: 'unavailable' }),
  ...[5, 6, 7, 8, 9].map((number) => voice(number, `Voice ${number}`, { languages: ['fr'] })),
]

const avatarFiles = ['mira', 'jonas', 'amara', 'victor']
const avatars = avatarFiles.map((name, index) => ({
  id: id(50 + index),
  display_name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  status: 'available',
  thumbnail_url: `/assets/avatars/${name}.webp`,
}))

const config = {
  slug: 'front-desk',
  display_name: 'Front desk',
  description: 'Greets callers, answers common questions and takes messages.',
  avatar_id: id(50),
  voice_id: voiceId(1),
  voice_config: { tts_variant: 'standard', language: null, speed: 1, volume: 1 },
  system_prompt:
    'You are the front desk of a small company. You are warm, quick and exact.\n\nFind out who is calling and why. Answer what you know. For everything else, take a message.',
  first_message: 'Hello, this is the front desk. How can I help you?',
  first_message_interruptible: true,
  llm_provider: 'builtin',
  llm_model: 'rules',
  llm_config: { temperature: 0.7, max_output_tokens: 512, timeout_ms: 8000 },
  stt_config: { language: 'en' },
  audio_config: { noise_suppression: true },
  turn_config: {
    endpointing_min_ms: 300,
    endpointing_max_ms: 3000,
    interruptions_enabled: true,
    interruption_min_ms: 200,
    false_interruption_timeout_ms: 2000,
    preemptive: true,
  },
  session_config: {
    max_duration_seconds: 600,
    silence_timeout_seconds: 60,
    max_concurrent_sessions: null,
    allowed_origins: ['https://app.example.com', 'https://www.example.com'],
    store_transcript: true,
    overrides: [],
    public: { enabled: true, origins: ['https://shop.example.com'], per_address_per_hour: 20, daily_credit: '5.00' },
  },
  tools: [
    {
      type: 'client',
      name: 'open_page',
      description: 'Opens a page.',
      parameters: { type: 'object' },
      timeout_ms: 10000,
    },
    {
      type: 'webhook',
      name: 'find_order',
      description: 'Finds an order by its number.',
      parameters: { type: 'object', properties: { number: { type: 'string' } } },
      timeout_ms: 5000,
      url: 'https://api.example.com/orders',
    },
  ],
  knowledge_files: [],
  web_search_enabled: false,
  memory_enabled: true,
  calendar_enabled: false,
  metadata: { team: 'reception' },
}

const revisionReference = (version) => ({ id: id(200 + version), version })
const publication = (version, revision) => ({
  id: id(300 + version),
  version,
  revision: revisionReference(revision),
  memory_enabled: true,
  calendar_enabled: false,
  created_at: at(10 - version),
})

const agent = (number, more = {}) => ({
  ...config,
  id: id(100 + number),
  state: 'published',
  api_ready: true,
  draft_revision: revisionReference(3),
  active_publication: publication(2, 2),
  created_at: at(number),
  updated_at: at(number / 24),
  ...more,
})
const draftOnly = { state: 'draft', api_ready: false, active_publication: null }

export const agents = [
  agent(1),
  agent(2, {
    display_name: longName,
    slug: 'donaudampfschifffahrtsgesellschaft-complaints-compliments',
    description: longName,
  }),
  agent(3, { display_name: rightToLeft, slug: 'support-ar', description: rightToLeft, ...draftOnly }),
  agent(4, { display_name: 'Tutor', slug: 'tutor', active_publication: publication(1, 3) }),
]
const manyAgents = Array.from({ length: 50 }, (_, index) =>
  agent(index, { display_name: `Agent ${index + 1}`, slug: `agent-${index + 1}` }),
)

const ready = { publishable: true, api_ready: true, problems: [], warnings: [] }
const problems = {
  publishable: false,
  api_ready: false,
  problems: [
    { field: 'voice_id', code: 'voice_not_found', detail: 'There is no such voice.' },
    {
      field: 'tools.1.parameters',
      code: 'tool_schema_invalid',
      detail: 'Must be a JSON Schema, but /type must be equal to one of the allowed values.',
    },
  ],
  warnings: [
    {
      field: 'stt_config.language',
      code: 'language_not_spoken',
      detail:
        'The Agent understands French, and its voice Ada speaks British English. Choose a voice that speaks French.',
    },
  ],
}
const outdated = {
  status: 412,
  body: {
    code: 'revision_conflict',
    detail: 'The draft is at version 4, not 3. Read the Agent again.',
    retryable: false,
  },
}

const revisions = [3, 2, 1].map((version) => ({
  ...revisionReference(version),
  created_at: at(8 - version),
  config:
    version === 3
      ? config
      : {
          ...config,
          display_name: 'Night desk',
          first_message: 'Hello, this is the night desk. How can I help?',
          llm_config: { ...config.llm_config, temperature: 0.2 },
          tools: config.tools.slice(0, version - 1),
        },
}))

export const path = `/agents/${id(101)}`
const withList = (body) => ({
  ...signedInAs('member'),
  '/dashboard/api/v1/agents': body,
})
const listOf = (found, next_cursor = null) => withList({ body: { agents: found, next_cursor } })
/** What is judged after its conversations. */
export const evaluationPath = `/dashboard/api${path}/evaluation`

export const withAgent = ({ shown = agents[0], check = { body: ready } } = {}) => ({
  ...signedInAs('member'),
  '/dashboard/api/settings': { body: { installation: { version: '0.1.0' } } },
  '/dashboard/api/v1/voices': { body: { voices, next_cursor: null } },
  '/dashboard/api/v1/avatars': { body: { avatars, next_cursor: null } },
  '/dashboard/api/providers': { body: { providers } },
  [`/dashboard/api/v1${path}`]: { body: shown },
  [evaluationPath]: { body: { criteria: [], data: [] } },
  [`/dashboard/api/v1${path}/publish`]: check,
  [`/dashboard/api/v1${path}/revisions`]: { body: { revisions, next_cursor: null } },
  [`/dashboard/api/v1${path}/publications`]: {
    body: { publications: [publication(2, 2), publication(1, 1)], next_cursor: null },
  },
})

const rename = (page) => page.getByRole('textbox', { name: 'Name' }).fill('Night desk')

const leave = async (page) => {
  await rename(page)
  const burger = page.getByRole('button', { name: 'Open the navigation' })
  if (await burger.isVisible()) await burger.click()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('dialog').waitFor()
}

const namedProvider = (llm_provider) => ({ shown: { ...agents[0], llm_provider, llm_model: 'qwen3:8b' } })
const goneProvider = {
  ...problems,
  problems: [
    {
      field: 'llm_provider',
      code: 'llm_provider_unknown',
      detail: 'There is no such model provider in the workspace. Choose another one.',
    },
  ],
  warnings: [],
}
const modelScenes = [
  {
    name: 'agent-model-providers',
    path: `${path}?section=model`,
    answers: { ...withAgent(namedProvider(providers[2].id)), ...signedInAs('owner') },
    act: (page) => page.getByRole('combobox', { name: 'Provider' }).click(),
  },
  {
    name: 'agent-model-deleted',
    path: `${path}?section=model`,
    answers: withAgent({ ...namedProvider(id(999)), check: { body: goneProvider } }),
  },
]

const sections = ['general', 'prompt', 'voice', 'model', 'turns', 'tools', 'sessions', 'integrate', 'evaluation']

export const agentScenes = [
  { name: 'agents', path: '/agents', answers: listOf(agents) },
  { name: 'agents-empty', path: '/agents', answers: listOf([]) },
  { name: 'agents-loading', path: '/agents', answers: withList('pending') },
  {
    name: 'agents-failed',
    path: '/agents',
    answers: withList(failed),
  },
  { name: 'agents-nothing-found', path: '/agents?q=nothing', answers: listOf([]) },
  { name: 'agents-many', path: '/agents', answers: listOf(manyAgents, 'next') },
  { name: 'agent-new', path: '/agents/new', answers: signedInAs('member') },
  ...sections.map((section) => ({
    name: `agent-${section}`,
    path: `${path}?section=${section}`,
    answers: withAgent(),
  })),
  ...modelScenes,
  ...[true, false].map((available) => ({
    name: available ? 'agent-recording' : 'agent-recording-without-storage',
    path: `${path}?section=recording`,
    answers: {
      ...withAgent(),
      ...signedInAs('owner'),
      [`/dashboard/api${path}/recording`]: {
        body: { settings: { enabled: available, consent_required: true, retention_days: 30 }, available },
      },
    },
  })),
  { name: 'agent-long-name', path, answers: withAgent({ shown: { ...agents[1], id: agents[0].id } }) },
  { name: 'agent-right-to-left', path, answers: withAgent({ shown: { ...agents[2], id: agents[0].id } }) },
  { name: 'agent-unsaved', path, answers: withAgent(), act: rename },
  {
    name: 'agent-talk',
    path: `${path}?section=prompt`,
    answers: withAgent(),
    async act(page) {
      await click('Talk with the draft')(page)
      await page.waitForSelector('#stage img')
    },
  },
  { name: 'agent-leave', path, answers: withAgent(), act: leave },
  { name: 'agent-problems', path: `${path}?section=tools`, answers: withAgent({ check: { body: problems } }) },
  { name: 'agent-outdated', path, answers: withAgent({ check: outdated }), act: rename },
  { name: 'agent-publish', path, answers: withAgent(), act: click('Publish') },
  { name: 'agent-publish-problems', path, answers: withAgent({ check: { body: problems } }), act: click('Publish') },
  { name: 'agent-missing', path: `/agents/${id(999)}`, answers: signedInAs('member') },
]
