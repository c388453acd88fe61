import { standInVoice } from '@parlance/testing'
import { createWyomingReader, type WyomingEvent, wyomingBytes, wyomingInfo } from '../src/wyoming/wyoming-event.js'

const read = (...parts: Buffer[]) => {
  const events: WyomingEvent[] = []
  const take = createWyomingReader((event) => events.push(event))
  for (const part of parts) take(part)
  return events.map(({ type, data, payload }) => ({ type, data, payload: Buffer.from(payload ?? []).toString() }))
}

test('events are read however their bytes arrive', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"type":"describe"}\n'),
    wyomingBytes({ type: 'audio-chunk', data: { rate: 16_000 }, payload: Buffer.from('a line\nof audio') }),
    Buffer.from('{"type":"transcribe","data":{"name":"x"},"data_length":15}\n{"language":"d"}'.replace('15', '16')),
    wyomingBytes({ type: 'synthesize', data: { text: 'Grüße' } }),
  ])
  const expected = [
    { type: 'describe', data: {}, payload: '' },
    { type: 'audio-chunk', data: { rate: 16_000 }, payload: 'a line\nof audio' },
    { type: 'transcribe', data: { name: 'x', language: 'd' }, payload: '' },
    { type: 'synthesize', data: { text: 'Grüße' }, payload: '' },
  ]
  expect(read(bytes)).toEqual(expected)
  expect(read(...[...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected)
})

test.each([
  ['text that is no JSON', 'hello\n'],
  ['an event without a type', '{"data":{}}\n'],
  ['a payload that is too large', '{"type":"audio-chunk","payload_length":99999999}\n'],
  ['a line that is too long', 'x'.repeat(70_000)],
])('%s is refused', (_name, text) => {
  expect(() => read(Buffer.from(text))).toThrow('not an event of the Wyoming protocol')
})

test('a recognizer of any language has the languages of the voices', () => {
  const voices = [{ ...standInVoice, status: 'available' as const, languages: ['en-GB', 'fr'] }]
  const recognizers = [
    { name: 'whisper', languages: null },
    { name: 'german', languages: ['de'] },
  ]
  const { asr, tts } = wyomingInfo({ version: '1', voices, recognizers })
  expect(asr).toMatchObject([{ models: [{ languages: ['en', 'fr'] }, { languages: ['de'] }] }])
  expect(tts).toMatchObject([{ voices: [{ name: standInVoice.id, languages: ['en-GB', 'fr'] }] }])
  expect(wyomingInfo({ version: '1', voices, recognizers: [] }).asr).toEqual([])
})
