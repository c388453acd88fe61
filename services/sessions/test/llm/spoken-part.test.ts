import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createSpokenPart } from '../../src/llm/ai-language-model.js'
import { closeScenes, openScene, providers, readReply, wholeReply } from './model-scene.js'

afterEach(closeScenes)

const spoken = (...texts: string[]): string => {
  const part = createSpokenPart()
  return texts.map(part.push).join('') + part.end()
}

/** `text` cut at any places. */
const cutAnywhere = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(60))).map(([whole, places]) => {
    const cuts = [0, ...places.map((place) => Math.min(place, whole.length)).sort((a, b) => a - b), whole.length]
    return { whole, texts: cuts.slice(1).map((cut, index) => whole.slice(cuts[index], cut)) }
  })

const marks = fc.constantFrom('<think>', '</think>', '<thi', '</', '<', 'a < b', '\n', 'Hello.', '')
const anyText = fc.array(marks, { maxLength: 6 }).map((parts) => parts.join(''))

describe('the spoken part of a reply', () => {
  test('a reply without reasoning is spoken to the last character, wherever it is split', () => {
    const plain = anyText.filter((text) => !text.trimStart().startsWith('<think>'))
    fc.assert(fc.property(cutAnywhere(plain), ({ whole, texts }) => void expect(spoken(...texts)).toBe(whole)))
  })

  test('reasoning at the beginning is not spoken, wherever it is split', () => {
    const thoughtful = anyText
      .filter((text) => !text.includes('</think>'))
      .map((thought) => `\n<think>${thought}</think>Hello, 3 < 4.`)
    fc.assert(fc.property(cutAnywhere(thoughtful), ({ texts }) => void expect(spoken(...texts)).toBe('Hello, 3 < 4.')))
  })

  test('text is returned at once, except what may be a mark at the beginning', () => {
    const part = createSpokenPart()
    expect(['<', 'b', '<think>', '<'].map(part.push)).toEqual(['', '<b', '<think>', '<'])
  })

  test('reasoning that does not end leaves nothing to speak', () => {
    expect(spoken('<think>', 'and so on', '</thin')).toBe('')
  })
})

test('the reasoning of an open model is not spoken', async () => {
  const { model } = await openScene('openai_compatible', (_, response) => {
    response.end(wholeReply(providers[0]!.protocol, '<thi', 'nk>They greet me.', '</think>', 'Hello', ' there, 3 < 4.'))
  })
  const { texts, error } = await readReply(model)
  expect(error).toBeUndefined()
  expect(texts.join('').trim()).toBe('Hello there, 3 < 4.')
})
