import fc from 'fast-check'
import { voiceId } from './fake-services.js'

/** Any sequence of UTF-16 units: lone surrogates and control characters included. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes))

const nested = fc
  .tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('[]', '{}'))
  .map(
    ([depth, [open, close]]) =>
      (open === '[' ? '[' : '{"a":').repeat(depth) + (close === ']' ? ']' : '1}').repeat(depth),
  )

/** A JSON value as text: a few are valid for some field, most are valid for none. */
const jsonValue = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '1e999',
    '-1',
    '0.5',
    '2',
    '1e-400',
    '99999999999999999999',
    '""',
    '[]',
    '{}',
  ),
  fc.constantFrom('"mp3"', '"wav"', '"audio"', '"json"', '"sse"', '["word"]', '["viseme","phoneme"]', '24000', '64000'),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => JSON.stringify(text)),
  units.map((text) => JSON.stringify(text)),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.integer({ min: 4_990, max: 12_000 }).map((length) => JSON.stringify('é'.repeat(length))),
)

const fieldName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('text', 'voice_id', 'tts_variant', 'language', 'output', 'speed', 'volume') },
  { weight: 6, arbitrary: fc.constantFrom('response_mode', 'alignment', 'input', 'model', 'voice', 'response_format') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('stream_format', 'instructions', '__proto__', 'constructor', 'toString', ''),
  },
  { weight: 1, arbitrary: units },
)

/** Names and values, the values as JSON: an object could not hold a name twice, or `__proto__`. */
type Fields = readonly (readonly [name: string, value: string])[]

const print = (fields: Fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`

const output = fc
  .array(fc.tuple(fc.constantFrom('format', 'sample_rate', 'bit_rate', 'codec', '__proto__'), jsonValue), {
    maxLength: 4,
  })
  .map((fields): [string, string] => ['output', print(fields)])

const rightTts: Fields = [
  ['text', '"Hi"'],
  ['voice_id', `"${voiceId}"`],
]
const rightOpenai: Fields = [
  ['model', '"tts-1"'],
  ['voice', '"Ada"'],
  ['input', '"Hi"'],
]

/** A body that is valid but for one or two fields. */
const nearBody = fc
  .tuple(
    fc.constantFrom<Fields>(rightTts, rightOpenai),
    fc.array(fc.oneof({ weight: 4, arbitrary: fc.tuple(fieldName, jsonValue) }, { weight: 1, arbitrary: output }), {
      maxLength: 3,
    }),
  )
  .map(([right, fields]) => print([...right, ...fields]))

/** The bytes of a body, from one that is nearly right to one that is not even JSON. */
export const generatedBody: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 10, arbitrary: nearBody.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: nested.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: nearBody.map((text) => Buffer.from(text, 'utf16le')) },
  { weight: 1, arbitrary: nearBody.map((text) => Buffer.from(text.slice(0, -3))) },
  { weight: 1, arbitrary: fc.integer({ min: 131_060, max: 140_000 }).map((length) => Buffer.alloc(length, ' ')) },
  { weight: 2, arbitrary: fc.constant(Buffer.alloc(0)) },
)
