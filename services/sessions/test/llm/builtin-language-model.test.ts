import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtinLanguageModel as model } from '../../src/llm/builtin/builtin-language-model.js'
import { numberForSpeech, spokenSum } from '../../src/llm/builtin/spoken-sum.js'
import type { ChatMessage } from '../../src/llm/language-model.js'
import { readReply } from './model-scene.js'

const now = new Date('2026-11-21T13:45:00Z')
beforeAll(() => void vi.useFakeTimers({ now }))
afterAll(() => void vi.useRealTimers())

/** The last reply of a conversation with these messages of the user. */
const answer = async (...lines: string[]): Promise<string> => {
  const messages: ChatMessage[] = []
  for (const text of lines) {
    messages.push({ role: 'user', text })
    const { texts } = await readReply(model, { messages: [...messages] })
    messages.push({ role: 'agent', text: texts.join('') })
  }
  return messages.at(-1)!.text
}

describe('the built-in rules', () => {
  test.each([
    ['who are you', /demonstration.*simple rules.*no language model/],
    ["What's your name?", /demonstration/],
    ['are you an AI?', /no language model/],
    ['what can you do', /Parlance.*time.*sums.*tools/],
    ['hello there', /^(Hello|Hi)/],
    ['what time is it', /^It is 1:45.PM, Coordinated Universal Time\.$/],
    ['what day is it today', /^Today is Saturday, November 21, 2026\.$/],
    ['what is twelve plus thirty', /^That is 42\.$/],
    ['What is seventeen plus twenty-five?', /^That is 42\.$/],
    ['Can you tell me what is seventeen plus twenty five please', /^That is 42\.$/],
    ['What is 12 + 30?', /^That is 42\.$/],
    ['how much is 2.5 times 4', /^That is 10\.$/],
    ['seven divided by zero', /divided by zero/],
    ['what is my name', /have not told me/],
    ['thanks a lot', /welcome/],
    ['goodbye', /[Gg]oodbye/],
    ['tell me a joke', /rule|language model/],
  ])('"%s" is answered by its rule', async (text, expected) => {
    expect(await answer(text)).toMatch(expected)
  })

  test('a name is remembered through the conversation, and the latest counts', async () => {
    expect(await answer('My name is Ada.', 'hello', 'what is my name?')).toBe('Your name is Ada.')
    expect(await answer('my name is ada', 'no, call me grace', 'do you know my name')).toBe('Your name is Grace.')
  })

  test.each([
    ['What is Parlance?', /voice agents/],
    ['How do I get a better voice?', /Voices/],
    ['How do I connect Ollama?', /Model providers/],
    ["Why don't you understand me?", /recogniz/],
    ['How do I put you on my web site?', /Publish/],
    ['Where do I get an API key?', /API keys/],
    ['What does it cost?', /Apache/],
    ['Where is my data stored?', /stays on the machine/],
    ['Which languages do you speak?', /English/],
    ['How do tools work?', /Tools/],
    ['What is an avatar?', /lips/],
    ['Can I interrupt you?', /speak while I do/],
    ['How do I make an Agent?', /New Agent/],
    ['What should I do to get started?', /Get started/],
  ])('the question "%s" about the product is answered', async (question, expected) => {
    expect(await answer(question)).toMatch(expected)
  })

  test('the time and the date are in the user’s time zone', async () => {
    const inTokyo = async (text: string) =>
      (await readReply(model, { messages: [{ role: 'user', text }], timeZone: 'Asia/Tokyo' })).texts.join('')
    expect(await inTokyo('What time is it?')).toMatch(/^It is 10:45.PM, Japan Standard Time\.$/)
    vi.setSystemTime(new Date('2026-11-21T16:00:00Z'))
    expect(await inTokyo('What day is it?')).toMatch(/November 22/)
    vi.setSystemTime(now)
  })

  test('no reply is repeated in a row when no rule matches', async () => {
    const replies = [await answer('blue'), await answer('blue', 'green'), await answer('blue', 'green', 'red')]
    expect(new Set(replies).size).toBe(3)
  })

  test('a question is answered by the sentence of the files that shares most words with it, and one that shares one by rules first', async () => {
    const text = 'a.txt:\nTea costs 3.50 euros. Returns take thirty days.\n\nb.txt:\nThe kettle boils water.'
    const reply = async (question: string) => {
      const messages: ChatMessage[] = [
        { role: 'knowledge', text },
        { role: 'user', text: question },
      ]
      return (await readReply(model, { messages })).texts.join('')
    }
    expect(await reply('How many days do returns take?')).toBe('Returns take thirty days.')
    expect(await reply('Does that kettle boil any water?')).toBe('The kettle boils water.')
    expect(await reply('What does a code for returns of thirty days cost?')).toBe('Returns take thirty days.')
    expect(await reply('Is it free in any days?')).toMatch(/open source/)
    expect(await reply('blue')).toMatch(/rule|language model/)
  })

  test('a new conversation is greeted, a silent user is asked, and context gets no reply', async () => {
    const reply = async (...messages: ChatMessage[]) => (await readReply(model, { messages })).texts.join('')
    expect(await reply()).toMatch(/^Hello/)
    expect(await reply({ role: 'context', text: 'what time is it' })).toMatch(/^Hello/)
    expect(await reply({ role: 'user', text: 'hi' }, { role: 'agent', text: 'Hello.' })).toMatch(/still there/)
    expect(await reply({ role: 'user', text: 'what time is it' }, { role: 'context', text: 'Cart: 2' })).toMatch(/1:45/)
  })

  test('the same conversation has the same reply, which is never empty', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('1 +', 'spell', 'say ', '- - -'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (lines) => {
        const reply = await answer(...lines)
        expect(reply.trim()).not.toBe('')
        expect(await answer(...lines)).toBe(reply)
      }),
    )
  })

  test('text of the maximum length is answered quickly, whatever it repeats', async () => {
    for (const unit of ['one plus ', 'a', '- ', 'my name is ', 'say ', '1,000', "i'm ", ' ']) {
      expect(await answer(unit.repeat(Math.ceil(4_000 / unit.length)))).not.toBe('')
    }
  })
})

describe('spoken sums', () => {
  test.each([
    ['two plus three times four', 14],
    ['one hundred and twenty minus five', 115],
    ['three thousand two hundred and one plus nine', 3210],
    ['minus five times minus two', 10],
    ['two point five plus one', 3.5],
    ['ten divided by four', 2.5],
    ['ten minus four minus three', 3],
  ])('"%s" is %d', (text, value) => expect(spokenSum(text)).toBe(value))

  test.each(['twelve', 'one two plus three', 'plus two', 'two plus', 'two plus tea', 'the weather over there', ''])(
    '"%s" is none',
    (text) => expect(spokenSum(text)).toBeUndefined(),
  )

  test('results have at most four decimal places, and a negative sign is a word', () => {
    expect([10 / 3, -2, 0.1 + 0.2, 1e6].map(numberForSpeech)).toEqual(['about 3.3333', 'minus 2', '0.3', '1000000'])
  })

  test('sums of any two numbers are correct', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), (a, b) => {
        expect(spokenSum(`${a} plus ${b}`)).toBe(a + b)
        expect(spokenSum(`${a} times ${b}`)).toBe(a * b)
      }),
    )
  })
})
