import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtinLanguageModel as model } from '../../src/llm/builtin/builtin-language-model.js'
import type { AnsweredCall, ChatMessage } from '../../src/llm/language-model.js'
import { readReply } from './model-scene.js'

beforeAll(() => void vi.useFakeTimers({ now: new Date('2026-11-21T13:45:00Z') }))
afterAll(() => void vi.useRealTimers())

const tools = ['web_search', 'calendar_list'].map((name) => ({ name, description: '', parameters: {} }))

const user = (text: string): ChatMessage => ({ role: 'user', text })
const answered = (name: string, result: string, isError = false): AnsweredCall => ({
  id: '1',
  name,
  arguments: {},
  result,
  isError,
})

describe('the built-in model with tools', () => {
  test.each([
    ['Search the web for the height of Everest.', 'web_search', { query: 'the height of everest' }],
    ['Could you look up tea in Darjeeling?', 'web_search', { query: 'tea in darjeeling' }],
    ["What's on my calendar?", 'calendar_list', { from: '2026-11-21', to: '2026-11-21' }],
    ['what is on my calendar tomorrow', 'calendar_list', { from: '2026-11-22', to: '2026-11-22' }],
    ['What do I have this week?', 'calendar_list', { from: '2026-11-21', to: '2026-11-27' }],
  ])('"%s" is a call', async (text, name, args) => {
    const context: ChatMessage = { role: 'context', text: 'The cart is empty.' }
    const { calls, texts, last } = await readReply(model, { messages: [user(text), context], tools, mayCall: true })
    expect(calls).toMatchObject([{ name, arguments: args }])
    expect(texts).toEqual([])
    expect(last).toEqual({ event: 'done', inputTokens: 0, outputTokens: 0 })
  })

  const openPage = {
    name: 'open_page',
    description: '',
    parameters: { type: 'object', properties: { path: { type: 'string' }, itemCount: { type: 'integer' } } },
  }
  test.each([
    ['Call open page with path cart and item count twenty-five.', { path: 'cart', itemCount: 25 }],
    ['Please use the tool open_page!', {}],
  ])('a tool of the Agent is called by its name: "%s"', async (text, args) => {
    const { calls } = await readReply(model, { messages: [user(text)], tools: [...tools, openPage], mayCall: true })
    expect(calls).toMatchObject([{ name: 'open_page', arguments: args }])
    expect(calls[0]!.arguments).toEqual(args)
  })

  test('without the tool, or when it may not call, it replies with text', async () => {
    const messages = [user('Search the web for tea.')]
    for (const request of [
      { messages, tools, mayCall: false },
      { messages, tools: [], mayCall: true },
    ]) {
      const { calls, texts } = await readReply(model, request)
      expect(calls).toEqual([])
      expect(texts.join('')).not.toBe('')
    }
    expect((await readReply(model, { messages: [user('Hello.')], tools, mayCall: true })).texts.join('')).toMatch(/^H/)
  })

  const found = JSON.stringify([
    { title: 'Tea', site: 'tea.example', text: 'Tea is a drink' },
    { title: 'Other', site: 'other.example', text: 'Not this' },
  ])
  const events =
    '- "Dentist", Friday 2026-03-20 09:30 to 10:30 (event_id 5f8a)\n- "Tea", Friday 2026-03-20 16:00 to 17:00 (event_id 6, recurs)'
  test.each<[string, AnsweredCall, string]>([
    [
      'what was found',
      answered('web_search', `Found on the web:\n${found}`),
      'I found this on tea.example: Tea is a drink.',
    ],
    ['that nothing was', answered('web_search', 'The web search found nothing.'), 'The web search found nothing.'],
    [
      'a day',
      answered('calendar_list', events),
      'You have Dentist, Friday at 09:30 to 10:30; Tea, Friday at 16:00 to 17:00.',
    ],
    [
      'an empty day',
      answered('calendar_list', 'Nothing takes place on these days.'),
      'Nothing takes place on these days.',
    ],
    ['a failure', answered('web_search', 'The tool failed.', true), 'That did not work. The tool failed.'],
    ['any other', answered('open_page', 'opened'), 'opened.'],
  ])('it reads %s aloud', async (_, call, text) => {
    const messages: ChatMessage[] = [user('Please.'), { role: 'calls', text: 'One moment, please.', calls: [call] }]
    const { texts, calls } = await readReply(model, { messages, tools, mayCall: true })
    expect(texts.join('')).toBe(text)
    expect(calls).toEqual([])
  })

  test('a long result is shortened', async () => {
    const calls = [answered('open_page', 'word '.repeat(1000))]
    const { texts } = await readReply(model, { messages: [user('Open.'), { role: 'calls', text: '', calls }], tools })
    expect(texts.join('').length).toBeLessThan(410)
  })
})
