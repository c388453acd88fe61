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

/** As in Safari on iOS. */
const audioSession = {
  set type(type: string) {
    calls.push(`audio session ${type}`)
  },
}

const { AudioContext, Audio, MediaStream } = globalThis
const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
const setNavigator = (descriptor: PropertyDescriptor) => Object.defineProperty(globalThis, 'navigator', descriptor)
beforeEach(() => {
  calls.length = 0
  Object.assign(globalThis, { AudioContext: FakeAudioContext, Audio: FakeAudio, MediaStream: class {} })
})
beforeAll(() => void setNavigator({ value: { audioSession }, configurable: true }))
afterAll(() => {
  Object.assign(globalThis, { AudioContext, Audio, MediaStream })
  setNavigator(navigatorBefore ?? { value: undefined, configurable: true })
})

test.each([
  ['webrtc', 'context at the rate of the hardware'],
  ['websocket', 'context at 24000'],
] as const)(
  'unlocking audio of %s creates and resumes its context, and plays, before anything is awaited',
  (transport, created) => {
    const player = browserParts.createAgentPlayer(transport)
    player.unlock(false)
    expect(calls).toEqual(['audio session play-and-record', created, 'context resumed', 'element played'])
    expect(player.context()).toBeInstanceOf(FakeAudioContext)
  },
)

test('audio that the browser has blocked is resumed with the context of the session', async () => {
  const player = browserParts.createAgentPlayer('websocket')
  player.unlock(false)
  calls.length = 0
  expect(await player.resume()).toBe(true)
  expect(calls).toEqual(['context resumed', 'element played'])
  player.close()
  expect(calls.slice(-2)).toEqual(['context closed', 'audio session auto'])
})
