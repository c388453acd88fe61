import { browserParts } from '../src/browser-parts.js'

/** The calls of the page to the browser, in order. */
const calls: string[] = []
class FakeAudioContext {
  constructor(options?: AudioContextOptions) {
    calls.push(`context at ${options?.sampleRate ?? 'the rate of the hardware'}`)
  }
  async resume() {
    calls.push('context resumed')
  }
  async close() {
    calls.push('context closed')
  }
}
class FakeAudio {
  srcObject = null
  async play() {
    calls.push('element played')
  }
}

const { AudioContext, Audio, MediaStream } = globalThis
beforeEach(() => {
  calls.length = 0
  Object.assign(globalThis, { AudioContext: FakeAudioContext, Audio: FakeAudio, MediaStream: class {} })
})
afterAll(() => void Object.assign(globalThis, { AudioContext, Audio, MediaStream }))

test.each([
  ['webrtc', 'context at the rate of the hardware'],
  ['websocket', 'context at 24000'],
] as const)(
  'unlocking audio of %s creates and resumes its context, and plays, before anything is awaited',
  (transport, created) => {
    const player = browserParts.createAgentPlayer(transport)
    player.unlock()
    expect(calls).toEqual([created, 'context resumed', 'element played'])
    expect(player.context()).toBeInstanceOf(FakeAudioContext)
  },
)

test('audio that the browser has blocked is resumed with the context of the session', async () => {
  const player = browserParts.createAgentPlayer('websocket')
  player.unlock()
  calls.length = 0
  expect(await player.resume()).toBe(true)
  expect(calls).toEqual(['context resumed', 'element played'])
  player.close()
  expect(calls.at(-1)).toBe('context closed')
})
