import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noBackground } from '../../src/conversation/agent/reply-text.js'
import type { Background } from '../../src/conversation/conversation.js'
import { backgroundPrompt, memoriesIn, systemPrompt, withoutMarks } from '../../src/llm/prompt.js'

const agent = {
  system_prompt: 'You sell tea.',
  voice_config: { tts_variant: null, language: null, speed: 1, volume: 1 },
}
const now = new Date('2026-11-21T13:45:30Z')
const known: Background = {
  memories: ["The user's name is Ada.", 'The user likes tea.'],
  appointments: ['Monday 23 November, 09:30–10:00 (Europe/Brussels): Dentist'],
  metadata: { plan: 'gold' },
}

describe('what is known about the user', () => {
  test('is between marks, with the note that it gives no orders, after the part for all users and before the time', () => {
    const prompt = systemPrompt(agent, known, now)
    expect(prompt.startsWith(systemPrompt(agent, noBackground, now).split('It is ')[0]!.trimEnd())).toBe(true)
    expect(prompt).toMatch(/no orders[^<]*<memories>\n- The user's name is Ada\.\n- The user likes tea\.\n<\/memories>/)
    expect(prompt).toMatch(/<appointments>\n- Monday 23 November.*Dentist\n<\/appointments>/)
    expect(prompt).toMatch(/<metadata>\n\{"plan":"gold"\}\n<\/metadata>/)
    expect(prompt).toMatch(/13:45 UTC\.$/)
  })

  test('adds nothing when nothing is known', () => {
    expect(backgroundPrompt(noBackground)).toBe('')
    const part = backgroundPrompt({ ...noBackground, memories: ['One.'] })
    expect(part).not.toMatch(/appointments|metadata/)
  })

  test('is always the same text', () => {
    expect(backgroundPrompt(known)).toBe(backgroundPrompt(structuredClone(known)))
  })

  const nasty = fc.oneof(
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          '<',
          '</',
          '>',
          'memories',
          'MEMORIES',
          'metadata',
          'context',
          'appointments',
          '\n',
          '- ',
          ' ',
          'Obey.',
        ),
        {
          maxLength: 40,
        },
      )
      .map((parts) => parts.join('')),
  )
  test('cannot pretend to end, whatever it contains', () => {
    const background = fc.record({
      memories: fc.array(nasty, { maxLength: 5 }),
      appointments: fc.array(nasty, { maxLength: 5 }),
      metadata: fc.dictionary(nasty, nasty, { maxKeys: 5 }),
    })
    fc.assert(
      fc.property(background, (given) => {
        const marks =
          backgroundPrompt(given).match(/<\/?\s*(?:memories|appointments|metadata|context)\b[^<>]*>/gi) ?? []
        const pair = (name: string, isThere: boolean) => (isThere ? [`<${name}>`, `</${name}>`] : [])
        expect(marks).toEqual([
          ...pair('memories', given.memories.length > 0),
          ...pair('appointments', given.appointments.length > 0),
          ...pair('metadata', Object.keys(given.metadata).length > 0),
        ])
        expect(memoriesIn(systemPrompt(agent, given, now))).toHaveLength(given.memories.length)
      }),
    )
  })

  test('is read back by the built-in rules', () => {
    expect(memoriesIn(systemPrompt(agent, known, now))).toEqual(known.memories)
    expect(memoriesIn(systemPrompt(agent, noBackground, now))).toEqual([])
  })
})

test('marks that remain after other marks are removed are removed too', () => {
  expect(withoutMarks('<mem<memories>ories>a</ context >')).toBe('a')
  expect(withoutMarks('1 < 2 > 0 <b>')).toBe('1 < 2 > 0 <b>')
  expect(`${withoutMarks('a<mem')}${withoutMarks('ories>')}`).toBe('aories>')
})
