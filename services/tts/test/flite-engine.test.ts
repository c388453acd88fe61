import { jest } from '@jest/globals'
import { offeredVoiceSchema, ServiceError } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import fc from 'fast-check'
import type { Engine } from '../src/engine/engine.js'
import { fliteEngineConfig, openFliteEngines } from '../src/engine/flite-engine.js'
import { expectSoundMarks } from './engine-contract.js'
import { begin, finish, type Heard, listen } from './engine-scene.js'

jest.setTimeout(60_000)

const open = async (config: object, write: (line: string) => void = () => {}): Promise<Engine> => {
  const logger = createLogger({ name: 'test', destination: { write } })
  const context = { logger, readSecret: () => '', onReplace: () => {} }
  const [engine] = await openFliteEngines('flite', fliteEngineConfig.parse({ type: 'flite', ...config }), context)
  return engine
}

describeWithPrograms(['flite'], 'the flite engine', () => {
  let engine: Engine
  let pid = 0
  beforeAll(async () => {
    engine = await open({ processes: 1 }, (line) => {
      const said = JSON.parse(line) as { msg: string; pid: number }
      if (said.msg === 'An engine process is ready') pid = said.pid
    })
  })
  afterAll(() => engine.close())

  const speech = (text: string, { voice = 0, signal = new AbortController().signal } = {}) => {
    const voiceId = engine.voices[voice]!.id
    return engine.speak({ text, voiceId, variant: 'flite', language: null, speed: 1, volume: 1 }, { signal })
  }
  const hear = (text: string, voice = 0): Promise<Heard> => listen(engine, speech(text, { voice }))

  it('is offered in voices that the catalog takes as they are, and says what it is', () => {
    for (const voice of engine.voices) offeredVoiceSchema.parse(voice)
    expect(engine.name).toBe('flite')
    expect(engine.sampleRateHz).toBe(16_000)
    expect(engine.info).toEqual({ implementation: 'native', version: expect.any(String) })
  })

  it('says the same text twice alike', async () => {
    const [one, other] = [await hear('The same text, twice.'), await hear('The same text, twice.')]
    expect([one.samples, one.words, one.phonemes]).toEqual([other.samples, other.words, other.phonemes])
  })

  it('speaks fifty utterances asked for at once, each whole', async () => {
    const heard = await Promise.all(Array.from({ length: 50 }, (_, index) => hear(`Number ${index}.`, index % 4)))
    for (const [index, { words }] of heard.entries()) {
      expect(words.map((word) => word.text)).toEqual(['Number', String(index)])
    }
  })

  it('stops when the loop is left, and its process goes on to the next', async () => {
    const before = pid
    const speaking = await begin(speech('a long text with a good many words in it, '.repeat(30)))
    await speaking.return?.()
    expect((await hear('Next.')).words).toHaveLength(1)
    expect(pid).toBe(before)
  })

  it('fails only the utterance of a process that is killed, and speaks the next', async () => {
    const speaking = await begin(speech('a long text with a good many words in it, '.repeat(30)))
    process.kill(pid, 'SIGKILL')
    await expect(finish(speaking)).rejects.toThrow(ServiceError)
    expect((await hear('Next one.')).words).toHaveLength(2)
  })

  it.each([
    ['nothing', ''],
    ['only punctuation', '?!… — ...'],
    ['only emoji', '😀👨‍👩‍👧🏳️‍🌈'],
    ['hundreds of combining marks', `e${'\u0301'.repeat(300)} a`],
    ['a very long word', 'x'.repeat(600)],
    ['a very long number', '7'.repeat(600)],
    ['many brackets', '([{"\''.repeat(200)],
    ['right-to-left text', 'שלום עולם مرحبا بالعالم'],
    ['control characters', '\u0001Va\u0002b\u001b[31m\u0007 c\u0085'],
    ['NUL', 'before\0after'],
    ['markup', '<speak><voice name="de">a</voice><audio src="/etc/passwd"/></speak> &lt;c&gt;'],
    ['lone surrogates', 'a\ud83d b\ude00'],
    ['paragraphs', 'one\n\n\n\ntwo\r\n\tthree'],
  ])('survives %s', async (_case, text) => {
    expectSoundMarks(text, await hear(text))
    expect((await hear('still here')).words).toHaveLength(2)
  })

  it('keeps its promises for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom('of the', '2024', '<b>', '&amp;', '$5.99', '[[', '😀', '日本', '\0', '…', '. ', ', ', ' ', "'"),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
      fc.lorem({ maxCount: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.nat(3), async (pieces, voice) => {
        const text = pieces.join('')
        expectSoundMarks(text, await hear(text, voice))
      }),
      { numRuns: 80 },
    )
  })
})

describe('without flite', () => {
  it('is not opened, and says what to install', async () => {
    const opening = open({ processes: 2, folder: '/nowhere' })
    await expect(opening).rejects.toThrow(/^there is no flite to load \(Debian: apt-get install libflite1\)$/)
  })
})
