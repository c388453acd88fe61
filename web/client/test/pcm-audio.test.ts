import { runInNewContext } from 'node:vm'
import { openPcmAudio, pcmSampleRateHz } from '../src/pcm-audio.js'

interface Port {
  onmessage?: (message: { data: unknown }) => void
  postMessage(data: unknown): void
}

/** A browser whose audio thread runs when `play` asks it to. */
const setUp = async (state: AudioContextState = 'running') => {
  const processors = new Map<
    string,
    new () => { port: Port; process(inputs: unknown, outputs: Float32Array[][]): void }
  >()
  const context = {
    state,
    destination: {},
    audioWorklet: {
      addModule: async (url: string) =>
        runInNewContext(await (await fetch(url)).text(), {
          AudioWorkletProcessor: class {
            port: Port = { postMessage: () => {} }
          },
          Int16Array,
          currentFrame: 0,
          registerProcessor: (name: string, processor: never) => void processors.set(name, processor),
        }),
    },
    createMediaStreamDestination: () => ({ stream: { getAudioTracks: () => [{}] } }),
  }
  let player: InstanceType<NonNullable<ReturnType<typeof processors.get>>> | undefined
  const { AudioWorkletNode } = globalThis
  Object.assign(globalThis, {
    AudioWorkletNode: class {
      readonly port: Port
      constructor(_context: unknown, name: string) {
        const processor = new (processors.get(name)!)()
        if (name === 'parlance-play') player = processor
        this.port = { postMessage: (data) => processor.port.onmessage?.({ data }) }
      }
      connect() {}
    },
  })
  try {
    const audio = await openPcmAudio(context as unknown as AudioContext, () => {})
    /** The samples that are played in the given number of frames of 20 ms. */
    const play = (frames: number): number[] =>
      Array.from({ length: frames }, () => {
        const output = new Float32Array(480)
        player!.process([], [[output]])
        return Math.round(output[479]! * 32_768)
      })
    return { context, audio, play }
  } finally {
    Object.assign(globalThis, { AudioWorkletNode })
  }
}
const frameOf = (sample: number) => new Int16Array(480).fill(sample).buffer

test('frames are played in order', async () => {
  const { audio, play } = await setUp()
  for (let n = 1; n <= 6; n++) audio.play(frameOf(n))
  expect(play(10).filter((sample) => sample !== 0)).toEqual([1, 2, 3, 4, 5, 6])
})

test('of frames that arrive faster than they are played, the newest five seconds are kept', async () => {
  const { audio, play } = await setUp()
  const most = (5 * pcmSampleRateHz) / 480
  for (let n = 1; n <= most + 10; n++) audio.play(frameOf(n))
  const played = play(most + 20).filter((sample) => sample !== 0)
  expect([played.length, played[0], played.at(-1)]).toEqual([most, 11, most + 10])
})

test('audio that arrives while the browser allows no playback is not played later', async () => {
  const { context, audio, play } = await setUp('suspended')
  audio.play(frameOf(1))
  context.state = 'running'
  for (let n = 2; n <= 7; n++) audio.play(frameOf(n))
  expect(play(10).filter((sample) => sample !== 0)).toEqual([2, 3, 4, 5, 6, 7])
})

test('a browser without worklets, and a session that is over, are a `ParlanceError`', async () => {
  for (const context of [{ audioWorklet: undefined } as unknown as AudioContext, undefined]) {
    await expect(openPcmAudio(context, () => {})).rejects.toMatchObject({ code: 'unsupported' })
  }
})
