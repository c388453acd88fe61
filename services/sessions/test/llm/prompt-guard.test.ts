import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createPromptGuard } from '../../src/llm/prompt-guard.js'

const guidance = `You are in a spoken conversation: the user's words come from speech recognition and may be misheard.
Write plain text as it is spoken: no Markdown, lists, headings, emoji, code or web addresses.`

const systemPrompt = `You are the concierge of the Hotel Aurora in Lisbon. Be warm, but never chatty.
Breakfast is served from seven to half past ten in the garden room on the ground floor, next to the library.
Never offer more than ten percent off. Rooms on the fourth floor are being painted until June.
When somebody wants to complain, say: "I am very sorry to hear that. I will ask the manager to call you back before six."`

const open = (prompt = systemPrompt, language: string | null = null) =>
  createPromptGuard({ guidance, systemPrompt: prompt, language })

/** The text that the guard returns for a reply, piece by piece. */
const guarded = (pieces: readonly string[], guard = open()): { returned: string[]; isCut: boolean } => {
  const reply = guard()
  const returned: string[] = []
  for (const piece of pieces) {
    returned.push(reply.push(piece))
    if (reply.isCut) return { returned, isCut: true }
  }
  returned.push(reply.flush())
  return { returned, isCut: reply.isCut }
}

const tokens = (text: string) => text.match(/\s*\S+|\s+$/g) ?? []
const wordCount = (text: string) => text.match(/\p{L}+/gu)?.length ?? 0
const refusal = 'I can’t tell you that.'

describe('what is recited', () => {
  test.each([
    ['the whole prompt', systemPrompt],
    ['the prompt after a few words', `Sure, here is what I was told: ${systemPrompt}`],
    ['the prompt in capitals and without punctuation', systemPrompt.toUpperCase().replace(/[.,:"]/g, '')],
    ['the prompt in Markdown', systemPrompt.replace(/\w+/g, '**$&**')],
    [
      'its middle',
      'It says: never offer more than ten percent off. Rooms on the fourth floor are being painted until June.',
    ],
    [
      'a long sentence',
      'Breakfast is served from seven to half past ten in the garden room on the ground floor, next to the library.',
    ],
    ['a line of our guidance', 'Write plain text as it is spoken: no Markdown, lists, headings.'],
    [
      'the guidance after the prompt’s begin',
      'You are the concierge. You are in a spoken conversation: the user’s words come from speech.',
    ],
  ])('is broken off: %s', (_, text) => {
    const { returned, isCut } = guarded(tokens(text))
    expect(isCut).toBe(true)
    const spoken = returned.join('')
    expect(spoken.endsWith(refusal)).toBe(true)
    const begun = spoken.slice(0, -refusal.length)
    const own = /^(Sure, here is what I was told: |It says: |You are the concierge\. )?/.exec(begun)![0]
    expect(wordCount(begun) - wordCount(own)).toBeLessThanOrEqual(6)
  })

  test('is broken off however it is cut into pieces', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(lengths, (sizes) => {
        const pieces: string[] = []
        for (let at = 0, n = 0; at < systemPrompt.length; n++) {
          const size = sizes[n % sizes.length]!
          pieces.push(systemPrompt.slice(at, at + size))
          at += size
        }
        const { returned, isCut } = guarded(pieces)
        return isCut && wordCount(returned.join('')) <= 6 + wordCount(refusal)
      }),
    )
  })

  test('is broken off where it is put together of pieces', () => {
    const shuffled = `Rooms on the fourth floor are being painted until June, and, well,
      breakfast is served from seven to half past ten in the garden. I am told: be warm, but never chatty; of the
      Hotel Aurora in Lisbon be warm but never, as I said, in the garden room on the ground floor next to the library.`
    expect(guarded(tokens(shuffled)).isCut).toBe(true)
  })

  test('is cut off when it continues after a pause', () => {
    const reply = open()()
    for (const half of [systemPrompt.slice(0, 40), systemPrompt.slice(40)]) {
      reply.push(half)
      reply.flush()
    }
    expect(reply.isCut).toBe(true)
  })

  test('is cut off when a short prompt is recited as a whole', () => {
    const guard = open('The password is swordfish, tell nobody.')
    expect(guarded(tokens('I was told: the password is swordfish, tell nobody.'), guard).isCut).toBe(true)
    expect(guarded(tokens('The password? I tell nobody.'), guard).isCut).toBe(false)
    expect(guarded(tokens('Be nice.'), open('Be nice.')).isCut).toBe(false)
  })

  test('is broken off in scripts without spaces', () => {
    const prompt = '你是里斯本极光酒店的礼宾员。请热情但不要多话。早餐从七点到十点半在花园厅供应。四楼的房间正在粉刷。'
    expect(guarded([...prompt], open(prompt)).isCut).toBe(true)
    expect(guarded([...'早餐从七点到十点半供应。'], open(prompt)).isCut).toBe(false)
  })

  test.each([
    ['de-AT', 'Das kann ich nicht sagen.'],
    ['fr', 'Je ne peux pas le dire.'],
    ['xx', refusal],
  ])('ends in %s with a sentence in its language', (language, sentence) => {
    const { returned } = guarded(tokens(systemPrompt), open(systemPrompt, language))
    expect(returned.join('').endsWith(sentence)).toBe(true)
  })
})

describe('text that is not changed', () => {
  test.each([
    'Breakfast is served from seven to half past ten in the garden room.',
    'Breakfast is from seven. Rooms on the fourth floor are being painted until June, so I will find you another one.',
    'I am the concierge of the Hotel Aurora in Lisbon. How can I help you today?',
    'I am very sorry to hear that. I will ask the manager to call you back before six.',
    'You are in a spoken conversation with me, of course!',
    '',
    '  \n ',
  ])('%j', (text) => {
    const { returned, isCut } = guarded(tokens(text))
    expect([returned.join(''), isCut]).toEqual([text, false])
  })

  test('any text that shares no long run with the prompt, whole and in order', () => {
    const word = fc.oneof(fc.constantFrom(...systemPrompt.split(/\s+/)), fc.string({ unit: 'grapheme', maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom(' banana ', '', ', ')), { maxLength: 60 }), (parts) => {
        const pieces = parts.flat()
        const { returned, isCut } = guarded(pieces)
        return isCut || returned.join('') === pieces.join('')
      }),
    )
  })

  test('at once: words that do not begin a recital are not withheld', () => {
    const text = 'The hotel serves breakfast in the garden room, and the rooms on the first floor are nice.'
    const pieces = tokens(text)
    expect(guarded(pieces).returned).toEqual([...pieces, ''])
  })

  test('and a fact is withheld only until it has ended', () => {
    const { returned } = guarded(tokens('Well: breakfast is served from seven to half past eleven today.'))
    const waiting = returned.filter((piece) => piece === '').length
    expect(waiting).toBeLessThanOrEqual(6)
    expect(returned.at(-2)).toBe(' half past eleven today.')
  })
})

test('a prompt that is completely in quotation marks is guarded nevertheless', () => {
  const prompt = '"You are a guide of the city museum and you never speak of the stolen painting."'
  expect(guarded(tokens(prompt), open(prompt)).isCut).toBe(true)
})
