import {
  agentConfigSchema,
  agentRequestSchema,
  mergeAgentConfig,
  publicConfigSchema,
  toolSchema,
} from '@parlance/contracts'
import type { Agent, AgentConfig } from '../src/agents/agent.js'
import { configDifferences } from '../src/agents/difference/config-differences.js'
import { changesBetween, jsonObjectProblem, toDraft } from '../src/agents/editor/agent-draft.js'
import { fieldErrorOf, fieldErrorsOf } from '../src/agents/editor/field-errors.js'
import { fieldPathOf, fields, inputLimitsOf } from '../src/agents/fields.js'

const config = agentConfigSchema.parse({
  slug: 'front-desk',
  display_name: 'Front desk',
  voice_id: '5'.repeat(32),
  voice_config: { tts_variant: 'standard' },
  llm_provider: 'builtin',
  llm_model: 'rules',
  tools: [
    { type: 'client', name: 'open_page' },
    { type: 'webhook', name: 'find_order', url: 'https://api.example.com/orders' },
    { type: 'mcp', name: 'shop', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, allowed_tools: ['buy'] },
    { type: 'builtin', name: 'end_call' },
  ],
  metadata: { team: 'reception', floor: 1 },
}) as AgentConfig

const draft = toDraft(config)

/** The result of the changes of a save on the server. */
const saved = (wanted: typeof draft) =>
  agentRequestSchema.parse(mergeAgentConfig(config as never, changesBetween(draft, wanted)))

test('every field of the contract has a label in the editor, and no other has one', () => {
  const paths = Object.entries(agentConfigSchema.shape).flatMap(([name, schema]) => {
    const inner = 'unwrap' in schema ? schema.unwrap() : schema
    const isConfig = name.endsWith('_config') && 'shape' in inner
    if (!isConfig) return [name]
    // One of them is an object in itself.
    return Object.keys(inner.shape as object).flatMap((field) =>
      field === 'public'
        ? Object.keys(publicConfigSchema.shape).map((inner) => `${name}.${field}.${inner}`)
        : [`${name}.${field}`],
    )
  })
  const tools = new Set(toolSchema.options.flatMap(({ shape }) => Object.keys(shape)))
  // The type of a tool is chosen when it is added.
  tools.delete('type')
  expect(Object.keys(fields).sort()).toEqual([...paths, ...[...tools].map((name) => `tools.${name}`)].sort())
})

test('inputs have the limits of the contract', () => {
  expect(inputLimitsOf('voice_config.speed')).toEqual({ min: 0.5, max: 2, allowDecimal: true })
  expect(inputLimitsOf('session_config.max_concurrent_sessions')).toEqual({ min: 1, max: 100_000, allowDecimal: false })
  expect(inputLimitsOf('system_prompt')).toEqual({ maxLength: 32_768 })
})

describe('a save', () => {
  test('sends only the changes', () => {
    expect(changesBetween(draft, draft)).toEqual({})
    const wanted = { ...draft, first_message: 'Hello.', voice_config: { ...draft.voice_config, speed: 1.2 } }
    expect(changesBetween(draft, wanted)).toEqual({ first_message: 'Hello.', voice_config: { speed: 1.2 } })
  })

  test('resets a blank field to its default', () => {
    const blank = { ...draft.voice_config, tts_variant: '', speed: '' as unknown as number }
    expect(saved({ ...draft, voice_config: blank, first_message: '' })).toMatchObject({
      voice_config: { tts_variant: null, speed: 1 },
      first_message: null,
    })
  })

  test('sends the public settings as a whole, without those that are blank', () => {
    const settings = { ...draft.session_config.public, enabled: true, origins: ['https://shop.example.com'] }
    const wanted = { ...draft, session_config: { ...draft.session_config, public: settings } }
    expect(changesBetween(draft, wanted)).toEqual({
      session_config: {
        public: { enabled: true, origins: ['https://shop.example.com'], per_address_per_hour: 20 },
      },
    })
    expect(saved(wanted).session_config.public).toMatchObject({ enabled: true, daily_credit: null })
  })

  test('replaces the metadata as a whole', () => {
    expect(saved({ ...draft, metadata: '{ "floor": 2 }' }).metadata).toEqual({ floor: 2 })
  })

  test('sends each tool with the fields of its type', () => {
    const tools = draft.tools.map((tool) => ({ ...tool, timeout_ms: 500, url: 'https://api.example.com/other' }))
    expect(saved({ ...draft, tools }).tools).toEqual([
      { ...config.tools[0], timeout_ms: 500 },
      { ...config.tools[1], timeout_ms: 500, url: 'https://api.example.com/other' },
      { ...config.tools[2], url: 'https://api.example.com/other' },
      config.tools[3],
    ])
  })
})

test('a text is a JSON object, or the error explains why not', () => {
  expect(jsonObjectProblem('{"type":"object"}')).toBeNull()
  expect(jsonObjectProblem('[]')).toMatch(/JSON object/)
  expect(jsonObjectProblem('{')).toMatch(/not JSON/)
})

describe('what the API refuses', () => {
  test('is shown at the field that it names', () => {
    const refused = (detail: string, code = 'invalid_request') => fieldErrorOf({ code, detail, retryable: false })
    expect(refused('llm_config.timeout_ms: too small')).toEqual({ 'llm_config.timeout_ms': 'Too small' })
    expect(refused('session_config.allowed_origins.2: must be an origin')).toEqual({
      'session_config.allowed_origins': 'Must be an origin',
    })
    expect(refused('The slug is taken.', 'slug_taken')).toEqual({ slug: 'The slug is taken.' })
    expect(refused('The request is not valid.')).toEqual({})
    expect(fieldErrorsOf([{ field: 'tools.1.parameters', code: 'tool_schema_invalid', detail: 'Wrong.' }])).toEqual({
      'tools.1.parameters': 'Wrong.',
    })
  })

  test('is shown at the field that contains the path', () => {
    expect(fieldPathOf('tools.0.parameters.type')).toBe('tools.0.parameters')
    expect(fieldPathOf('metadata.team')).toBe('metadata')
    expect(fieldPathOf('tools.3')).toBe('tools')
    expect(fieldPathOf('tools.3.allowed_tools.0')).toBe('tools.3.allowed_tools')
    expect(fieldPathOf('unknown')).toBeUndefined()
  })
})

test('differences are listed field by field, with the names of voices', () => {
  const voice_id = '6'.repeat(32)
  const after: AgentConfig = {
    ...config,
    voice_id,
    memory_enabled: true,
    llm_config: { ...config.llm_config, temperature: 0.2 },
    tools: config.tools.filter(({ name }) => name !== 'find_order'),
    metadata: { team: 'night' },
  }
  const names = new Map([
    [config.voice_id, 'Alma'],
    [voice_id, 'Bruno'],
  ])
  const found = configDifferences(config, after as Agent, names)
  expect(found.map(({ label, before, after: now }) => [label, before, now])).toEqual([
    ['Metadata team', 'reception', 'night'],
    ['Voice', 'Alma', 'Bruno'],
    ['Temperature', '0.7', '0.2'],
    ['Memory', 'Off', 'On'],
    ['Metadata floor', '1', ''],
    ['Tool find_order', expect.stringContaining('https://api.example.com/orders'), ''],
  ])
})
