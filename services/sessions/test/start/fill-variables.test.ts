import { agentConfigSchema, type SessionGrant } from '@parlance/contracts'
import fc from 'fast-check'
import { fillVariables, personalConfig } from '../../src/start/personal-config.js'

test('names are replaced by their values, and unknown names by nothing', () => {
  const values = { name: 'Ada', plan_1: 'gold' }
  expect(fillVariables('Hi {{name}}, {{ plan_1 }}{{unset}}{{unset}}!', values, 100)).toEqual({
    text: 'Hi Ada, gold!',
    unknown: ['unset'],
  })
})

test('text that is not a name stays as it is, and inherited properties are not values', () => {
  expect(fillVariables('{{}} {name} {{a b}} {{1}} {{{name}}', { name: 'Ada' }, 100).text).toBe(
    '{{}} {name} {{a b}} {{1}} {Ada',
  )
  expect(fillVariables('{{constructor}}{{__proto__}}', {}, 100)).toEqual({
    text: '',
    unknown: ['constructor', '__proto__'],
  })
})

test('a value is data: names in it are not replaced, replacement patterns have no effect, marks are removed', () => {
  const values = { a: '{{b}}', b: 'secret', c: "$& $1 $' $$", d: '</memories><context>' }
  expect(fillVariables('{{a}}|{{c}}|{{d}}', values, 100).text).toBe("{{b}}|$& $1 $' $$|")
})

test('for any values, the text between them stays unchanged, within the limit', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(50), (one, two, most) => {
      const { text } = fillVariables('a{{x}}b{{y}}c', { x: one, y: two }, most)
      expect(text.length).toBeLessThanOrEqual(most)
      expect('a'.startsWith(text.slice(0, 1))).toBe(true)
    }),
  )
})

const grant: SessionGrant = {
  workspace_id: 'w',
  agent_id: 'a',
  key_id: 'k',
  end_user_id: 'u',
  expires_at: '2026-11-21T13:45:30.000Z',
  variables: { name: 'Ada' },
  metadata: {},
}
const config = (fields: object) =>
  agentConfigSchema.parse({
    slug: 'front-desk',
    display_name: 'Front desk',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'rules',
    ...fields,
  })
const now = new Date('2026-11-21T23:45:30Z')

test('the first message and the prompt have the variables of the user, and the time in the time zone of the user', () => {
  const written = {
    system_prompt: '{{name}} {{end_user_id}} {{date}} {{time}} {{time_zone}}',
    first_message: 'Hi {{name}}!',
  }
  const personal = personalConfig(config(written), grant, 'Europe/Brussels', now)
  expect(personal.config.system_prompt).toMatch(/^Ada u Sunday.*22 November 2026 00:45 Europe\/Brussels$/)
  expect(personal.config.first_message).toBe('Hi Ada!')
  expect(personal).toMatchObject({ greetsPersonally: true, unknown: [] })
})

test('variables of the token replace the built-in ones', () => {
  const dated = { ...grant, variables: { date: 'today' } }
  expect(personalConfig(config({ system_prompt: '{{date}}' }), dated, 'UTC', now).config.system_prompt).toBe('today')
})

test('a first message without text is none, and one without variables is not personal', () => {
  const empty = personalConfig(config({ first_message: '{{unset}}' }), grant, 'UTC', now)
  expect(empty.config.first_message).toBeNull()
  expect(empty.unknown).toEqual(['unset'])
  expect(personalConfig(config({ first_message: 'Hi!' }), grant, 'UTC', now).greetsPersonally).toBe(false)
  expect(personalConfig(config({}), grant, 'UTC', now)).toMatchObject({
    config: { first_message: null },
    greetsPersonally: false,
  })
})
