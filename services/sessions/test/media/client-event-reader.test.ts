import { vi } from 'vitest'
import { createClientEventReader, ownEvents } from '../../src/media/client-event-reader.js'

afterEach(() => vi.restoreAllMocks())

const setUp = () => {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const events: unknown[] = []
  const codes: string[] = []
  const reader = createClientEventReader({
    ...ownEvents,
    onEvent: (event) => events.push(event),
    onError: ({ code }) => codes.push(code),
  })
  return {
    reader,
    events,
    codes,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

const ping = JSON.stringify({ event: 'ping' })

describe('client event reader', () => {
  test.each([
    ['no JSON', 'nope', 'invalid_json'],
    ['no object', '17', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['an event that there is not', JSON.stringify({ event: 'no.such' }), 'invalid_request'],
    ['an event with a field too many', JSON.stringify({ event: 'ping', extra: 1 }), 'invalid_request'],
    ['a field of another kind', JSON.stringify({ event: 'mute', muted: 'yes' }), 'invalid_request'],
    ['more than 64 KiB', JSON.stringify({ event: 'context.update', text: 'x'.repeat(65_536) }), 'payload_too_large'],
    [
      'more than 64 KiB of which few are characters',
      JSON.stringify({ event: 'context.update', text: '語'.repeat(22_000) }),
      'payload_too_large',
    ],
  ])('%s causes an error, and the next message is read', (_, message, code) => {
    const { reader, events, codes } = setUp()
    reader.read(message)
    expect(codes).toEqual([code])
    reader.read(ping)
    expect(events).toEqual([{ event: 'ping' }])
  })

  test('a binary message causes an error', () => {
    const { reader, codes } = setUp()
    reader.refuseBinary()
    expect(codes).toEqual(['invalid_request'])
  })

  test('more than 50 messages in a second are dropped with one error, until the second is over', () => {
    const { reader, events, codes, wait } = setUp()
    for (let each = 0; each < 500; each++) reader.read(ping)
    expect(events).toHaveLength(50)
    expect(codes).toEqual(['rate_limited'])
    wait(1000)
    reader.read(ping)
    expect(events).toHaveLength(51)
    for (let each = 0; each < 500; each++) reader.read('nope')
    expect(codes).toHaveLength(1 + 49 + 1)
  })
})
