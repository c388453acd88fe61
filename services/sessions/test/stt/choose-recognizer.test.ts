import { chooseRecognizer } from '../../src/stt/open-recognizers.js'
import type { Recognizer } from '../../src/stt/recognizer.js'

const recognizer = (name: string, facts: Partial<Recognizer> = {}): Recognizer => ({
  name,
  languages: ['en'],
  open: () => {
    throw new Error('not opened here')
  },
  close: async () => {},
  ...facts,
})

const chosen = (language: string, ...groups: Recognizer[][]) => chooseRecognizer(groups, language)?.name

describe('the recognizer for a language', () => {
  test('is the one with the highest quality, wherever it stands', () => {
    const local = [recognizer('fair', { quality: 40 }), recognizer('best', { quality: 80 }), recognizer('unrated')]
    expect(chosen('en', local)).toBe('best')
    expect(chosen('en', local.toReversed())).toBe('best')
  })

  test('is the earlier of two that are as good', () => {
    expect(chosen('en', [recognizer('first', { quality: 5 }), recognizer('second', { quality: 5 })])).toBe('first')
  })

  test('knows the whole tag rather than its first part, and its first part rather than another language', () => {
    const local = [
      recognizer('english', { quality: 90 }),
      recognizer('british', { quality: 10, languages: ['en-GB', 'en'] }),
      recognizer('german', { quality: 99, languages: ['de-AT'] }),
    ]
    expect(chosen('en-gb', local)).toBe('british')
    expect(chosen('en-US', local)).toBe('english')
    expect(chosen('de', local)).toBe('german')
    expect(chosen('fr', local)).toBeUndefined()
  })

  test('is of the first provider that knows the language, however good later ones are', () => {
    const local = [recognizer('model', { quality: 1 })]
    const server = [recognizer('server', { languages: undefined, quality: 100 })]
    const last = [recognizer('last', { languages: ['en-US'] })]
    expect(chosen('en-US', local, server, last)).toBe('model')
    expect(chosen('fr', local, server, last)).toBe('server')
    expect(chosen('en-US', [], last)).toBe('last')
  })

  test('is never one that is slower than speech', () => {
    const slow = recognizer('large', { quality: 100, isSlow: true })
    expect(chosen('en', [slow, recognizer('small', { quality: 1 })])).toBe('small')
    expect(chosen('en', [slow], [recognizer('last')])).toBe('last')
    expect(chosen('en', [slow])).toBeUndefined()
  })
})
