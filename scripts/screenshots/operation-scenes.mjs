// The scenes of the pages about the workspace and the installation.
import { at, failed, id, longName, rightToLeft, signedInAs, signedInAsOperator } from './answers.mjs'

const services = ['agents', 'auth', 'catalog', 'end-users', 'sessions', 'tokens', 'webhooks']
const engines = [
  { name: 'espeak-ng', synthesis: 'formant', workers: 2, voices: 118 },
  { name: 'flite', synthesis: 'recorded', workers: 1, voices: 4 },
  { name: 'sherpa-en-us-joe-medium', synthesis: 'neural', workers: 1, voices: 1 },
]

const settings = ({ name = 'Acme', down = [], running = engines } = {}) => ({
  body: {
    workspace: {
      ...{ id: id(1), name, capabilities: ['tts', 'stt', 'agents'], suspended: false },
      ...{ max_concurrent_sessions: 20, max_concurrent_streams: 0, created_at: at(40) },
    },
    requests_per_minute: 6000,
    installation: {
      version: '0.1.0',
      key_environment: 'prd',
      services: services.map((service) => ({ name: service, up: !down.includes(service) })),
      engines: running,
      recognizers: [{ name: 'pocketsphinx' }, { name: 'moonshine-tiny-en' }],
    },
  },
})
const withSettings = (role, answer) => ({ ...signedInAs(role), '/dashboard/api/settings': answer })

const settingsScenes = [
  { name: 'settings', path: '/settings', answers: withSettings('admin', settings()) },
  {
    name: 'settings-environment',
    path: '/settings',
    answers: withSettings('admin', settings({ down: ['webhooks'] })),
    act: async (page) => {
      await page.getByRole('list', { name: 'Services' }).scrollIntoViewIfNeeded()
      await page.mouse.wheel(0, 2000)
    },
  },
  {
    name: 'settings-long',
    path: '/settings',
    answers: withSettings('member', settings({ name: longName, down: ['end-users', 'webhooks'], running: [] })),
  },
  { name: 'settings-loading', path: '/settings', answers: withSettings('member', 'pending') },
  {
    name: 'settings-failed',
    path: '/settings',
    answers: withSettings('member', failed),
  },
]

const list = '/dashboard/api/operator/workspaces'
const workspace = (number, name, more = {}) => ({
  ...{ id: id(number), name, capabilities: ['tts', 'stt', 'agents'], suspended: false, created_at: at(number) },
  ...{ max_concurrent_sessions: 20, max_concurrent_streams: 50, balance: '1234.5', reserved: '0.1' },
  ...more,
})
const workspaces = [
  workspace(1, 'Acme'),
  workspace(2, longName, { suspended: true, balance: '0.000000031', reserved: '0' }),
  workspace(3, rightToLeft, {
    capabilities: [],
    max_concurrent_sessions: 0,
    max_concurrent_streams: 0,
    balance: '999999999.123456789',
  }),
]
const many = Array.from({ length: 50 }, (_, index) => workspace(index + 4, `Workspace ${index + 1}`))
const withWorkspaces = (answer) => ({ ...signedInAsOperator(), [list]: answer })
const listed = (found, next_cursor = null) => withWorkspaces({ body: { workspaces: found, next_cursor } })
const change = (item) => async (page) => {
  await page.getByRole('button', { name: 'Change Acme' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

const workspaceScenes = [
  { name: 'operator-workspaces', path: '/operator/workspaces', answers: listed(workspaces) },
  { name: 'operator-workspaces-many', path: '/operator/workspaces', answers: listed([...workspaces, ...many], 'next') },
  { name: 'operator-workspaces-empty', path: '/operator/workspaces', answers: listed([]) },
  { name: 'operator-workspaces-loading', path: '/operator/workspaces', answers: withWorkspaces('pending') },
  {
    name: 'operator-workspaces-failed',
    path: '/operator/workspaces',
    answers: withWorkspaces(failed),
  },
  { name: 'operator-refused', path: '/operator/workspaces', answers: signedInAs('owner') },
  { name: 'operator-grant', path: '/operator/workspaces', answers: listed(workspaces), act: change('Grant credit') },
  {
    name: 'operator-limits',
    path: '/operator/workspaces',
    answers: listed(workspaces),
    act: change('Change the limits'),
  },
  {
    name: 'operator-capabilities',
    path: '/operator/workspaces',
    answers: listed(workspaces),
    act: change('Change the capabilities'),
  },
  { name: 'operator-suspend', path: '/operator/workspaces', answers: listed(workspaces), act: change('Suspend') },
]

const model = (name, kind, languages, more = {}) => ({
  ...{ name, kind, languages, display_name: name, size_bytes: 63_200_000, license: 'CC0-1.0' },
  ...{ license_source: 'https://example.com/license', license_lineage: null },
  ...more,
})
const installed = [
  model('en_US-joe-medium', 'tts', ['en-US'], { problems: [] }),
  { ...model(longName, 'tts', ['de']), kind: null, license: null, problems: ['tokens.txt: is missing'] },
]
const catalog = [
  model('en_US-joe-medium', 'tts', ['en-US']),
  model('moonshine-tiny-en', 'stt', ['en'], { license: null, license_lineage: 'Recordings of the Librivox project' }),
  model('kokoro-multi-lang-v1_1', 'tts', ['en', 'zh', 'ja', 'fr', 'es'], { size_bytes: 364_000_000 }),
  model('smart-turn-v3', 'turn', [], { size_bytes: 8_700_000 }),
  ...Array.from({ length: 120 }, (_, index) => model(`voice-${index}`, 'tts', ['fr-FR'], { size_bytes: null })),
]
const models = '/dashboard/api/operator/models'
const withModels = (answer) => ({
  ...signedInAsOperator(),
  [models]: answer,
  '/dashboard/api/operator/model-catalog': {
    body: { models: catalog, recommended: { tts: catalog[0].name, stt: catalog[1].name } },
  },
})
const managed = (found) => withModels({ body: { is_managed: true, models: found } })
const chooseModel = (page) => page.getByRole('button', { name: 'Install moonshine-tiny-en' }).click()

const offer = { command: 'npx parlance models install en_US-joe-medium', voice: null, recognizer: null }
const ollama = { name: 'Ollama', kind: 'ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }
/** `ready` answers whether there are a natural voice and a recognizer. */
const getStarted = (ready, found) => ({
  ...withModels({ body: { is_managed: true, models: [] } }),
  '/dashboard/api/operator/model-catalog': {
    body: { models: catalog, recommended: { tts: catalog[0].name, stt: catalog[1].name } },
  },
  '/dashboard/api/try/natural-voice': ready,
  '/dashboard/api/try/recognizer': ready,
  '/dashboard/api/providers': { body: { providers: [] } },
  '/dashboard/api/model-servers': { body: { configured: [], found } },
  '/dashboard/api/v1/agents': { body: { agents: [], next_cursor: null } },
  '/dashboard/api/agent-sessions': { body: { sessions: [], next_cursor: null } },
})

const modelScenes = [
  { name: 'get-started', path: '/get-started', answers: getStarted({ body: offer }, [ollama]) },
  { name: 'get-started-done', path: '/get-started', answers: getStarted({ status: 204 }, []) },
  { name: 'models', path: '/operator/models', answers: managed(installed) },
  { name: 'models-empty', path: '/operator/models', answers: managed([]) },
  { name: 'models-failed', path: '/operator/models', answers: withModels(failed) },
  { name: 'models-loading', path: '/operator/models', answers: withModels('pending') },
  {
    name: 'models-not-here',
    path: '/operator/models',
    answers: withModels({ body: { is_managed: false, models: [] } }),
  },
  { name: 'models-install', path: '/operator/models', answers: managed(installed), act: chooseModel },
]

export const operationScenes = [...settingsScenes, ...workspaceScenes, ...modelScenes]
