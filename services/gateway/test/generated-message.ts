import fc from 'fast-check'
import { voiceId } from './fake-services.js'

const contextId = fc.constantFrom('default', 'a', 'b', 'c', 'x'.repeat(64), 'x'.repeat(65), '', '__proto__', 'é\u0000')
const words = fc.oneof(
  fc.constantFrom(
    'Hello there. ',
    'and then ',
    '3.14',
    '\ud83d',
    '\ude00',
    '',
    ' ',
    '\u0007',
    'Z. B. so',
    '你好。',
    'x'.repeat(4_100),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const usualId = fc.constantFrom('default', 'a', 'b', 'c')
const usual = fc.oneof(
  fc.record({ event: fc.constant('start'), context_id: usualId, voice_id: fc.constant(voiceId) }),
  fc.record({
    event: fc.constant('text'),
    context_id: usualId,
    text: fc.constantFrom('Hello there. ', 'and then ', '3.14', '\ud83d', '\ude00', ' ', 'Z. B. so, ', '你好。'),
  }),
  fc.record({ event: fc.constantFrom('flush', 'end', 'cancel'), context_id: usualId }),
)

const unusual = fc.oneof(
  fc.record(
    {
      event: fc.constant('start'),
      context_id: contextId,
      voice_id: fc.constantFrom(voiceId, '0'.repeat(32), 'Ada', null),
      output: fc.constantFrom({ format: 'pcm_s16le' }, { format: 'ulaw' }, { format: 'mp3' }, { sample_rate: -1 }, 7),
      audio_frames: fc.constantFrom('base64', 'binary', 'smoke'),
      speed: fc.constantFrom(1, 0.5, 9, Number.MAX_VALUE),
      alignment: fc.constantFrom([], ['word'], ['word', 'viseme', 'phoneme', 'word'], 'word'),
      buffering: fc.constantFrom({ mode: 'auto', max_delay_ms: 0 }, { mode: 'none' }, { max_delay_ms: -5 }),
    },
    { requiredKeys: ['event'] },
  ),
  fc.record({ event: fc.constant('text'), context_id: contextId, text: words }, { requiredKeys: ['event', 'text'] }),
  fc.record({ event: fc.constant('flush'), context_id: contextId, flush_id: fc.string() }, { requiredKeys: ['event'] }),
  fc.record({ event: fc.constant('end'), context_id: contextId }, { requiredKeys: ['event'] }),
  fc.record(
    {
      event: fc.constant('cancel'),
      context_id: contextId,
      played_ms: fc.oneof(fc.double(), fc.constantFrom(-1, 0, 1e300)),
    },
    { requiredKeys: ['event'] },
  ),
  fc.constant({ event: 'keepalive' }),
  fc.record({ event: fc.string(), context_id: contextId }),
  fc.anything({ maxDepth: 2 }),
)

const message = fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: unusual })

const printed = message.map((value) => {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch {
    // A bigint, for which JSON has nothing.
    return '12345678901234567890'
  }
})

/** A text with some of it overwritten, cut out or doubled. */
const mutated = fc
  .tuple(printed, fc.nat(), fc.nat(8), fc.string({ maxLength: 4 }), fc.constantFrom('overwrite', 'cut', 'double'))
  .map(([text, place, length, other, how]) => {
    const at = text.length === 0 ? 0 : place % text.length
    const part = text.slice(at, at + length)
    const middle = { overwrite: other, cut: '', double: part + part }[how]
    return text.slice(0, at) + middle + text.slice(at + length)
  })

/** A frame as a client may send it: valid, wrong in its fields, broken, or no text at all. */
export const generatedFrame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 5, arbitrary: printed },
  { weight: 4, arbitrary: mutated },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
)

const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '13',
    '8',
    'websocket',
    'Upgrade',
    'keep-alive',
    'dGhlIHNhbXBsZSBub25jZQ==',
    'awp.tts.v1, awp.token.awtt_any',
  ),
  fc.constantFrom(
    'awp.tts.v1',
    'awp.token.',
    'awp.token.awtt_any',
    'Bearer awtt_any',
    'Bearer',
    'permessage-deflate; a=b',
  ),
  fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.,;=/ "'), maxLength: 60 }),
)

/** The lines of a handshake, each of them right, wrong or missing. */
export const generatedHandshake: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD'),
    fc.constantFrom('', '', '?token=awtt_any', '?inactivity_timeout=5', '?inactivity_timeout=x', '?token=%', '?a[b]=c'),
    fc.array(
      fc.tuple(
        fc.constantFrom(
          ...['upgrade', 'connection', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'],
          ...['authorization', 'sec-websocket-extensions', 'origin'],
        ),
        headerValue,
      ),
      { maxLength: 4 },
    ),
  )
  .map(([method, query, changes]) => {
    const headers = new Map([
      ...[['host', 'x'] as const, ['upgrade', 'websocket'] as const, ['connection', 'Upgrade'] as const],
      ...[['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='] as const, ['sec-websocket-version', '13'] as const],
      ...[['sec-websocket-protocol', 'awp.tts.v1, awp.token.awtt_any'] as const, ...changes],
    ])
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    return `${[`${method} /v1/tts/stream${query} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
  })
