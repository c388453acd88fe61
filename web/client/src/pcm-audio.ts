/**
 * Audio as frames of 20 ms: mono, 16 bits, 24 kHz. Capture and playback run on the browser's audio thread, where a busy
 * page does not disturb them.
 */
import type { AudioMoment } from './connection.js'
import { ParlanceError } from './parlance-error.js'

export interface PcmAudio {
  /** The audio that is played. */
  readonly track: MediaStreamTrack
  play(frame: ArrayBuffer): void
  capture(microphone: MediaStreamTrack): void
  /** The frame that was played last. */
  moment(): AudioMoment | undefined
  close(): void
}

export const pcmSampleRateHz = 24_000
const frameSamples = 480
/** The first frame after a silence waits this long, so that the next one may be late. */
const delaySamples = 1_920
/** Audio that comes while so many frames wait replaces the oldest of them, so that playback is at most 5 s late. */
const maxWaitingFrames = 250

const processors = `
registerProcessor('parlance-capture', class extends AudioWorkletProcessor {
  frame = new Int16Array(${frameSamples})
  length = 0
  process([[samples = []]]) {
    for (const sample of samples) {
      this.frame[this.length++] = Math.max(-1, Math.min(1, sample)) * 32767
      if (this.length < ${frameSamples}) continue
      this.length = 0
      this.port.postMessage(this.frame.slice().buffer)
    }
    return true
  }
})
registerProcessor('parlance-play', class extends AudioWorkletProcessor {
  frames = []
  at = 0
  waited = 0
  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      this.frames.push(new Int16Array(data))
      if (this.frames.length <= ${maxWaitingFrames}) return
      this.frames.shift()
      this.at = 0
    }
  }
  process(_, [[output]]) {
    if (this.frames.length === 0) this.waited = 0
    else this.waited += output.length
    if (this.waited < ${delaySamples}) return true
    for (let index = 0; index < output.length && this.frames.length > 0; index++) {
      output[index] = this.frames[0][this.at++] / 32768
      if (this.at < this.frames[0].length) continue
      this.frames.shift()
      this.at = 0
      this.port.postMessage(currentFrame + index)
    }
    return true
  }
})`

/**
 * `context` has the sample rate `pcmSampleRateHz`. It was unlocked by a click, and is resumed and closed by its owner: browsers may
 * not let a context play that is created after the click. Rejects with a `ParlanceError` `unsupported`.
 */
export const openPcmAudio = async (
  context: AudioContext | undefined,
  onFrame: (frame: ArrayBuffer) => void,
): Promise<PcmAudio> => {
  const url = URL.createObjectURL(new Blob([processors], { type: 'text/javascript' }))
  try {
    if (context === undefined) throw new Error('The session is over.')
    await context.audioWorklet.addModule(url)
    return connect(context, onFrame)
  } catch (cause) {
    throw new ParlanceError('unsupported', 'This browser cannot send audio over a WebSocket.', { cause })
  } finally {
    URL.revokeObjectURL(url)
  }
}

const connect = (context: AudioContext, onFrame: (frame: ArrayBuffer) => void): PcmAudio => {
  const capture = new AudioWorkletNode(context, 'parlance-capture', { channelCount: 1, channelCountMode: 'explicit' })
  // The node outputs silence. Browsers process only nodes that lead to the destination.
  capture.connect(context.destination)
  capture.port.onmessage = ({ data }) => onFrame(data)
  const player = new AudioWorkletNode(context, 'parlance-play', { numberOfInputs: 0, outputChannelCount: [1] })
  const played = context.createMediaStreamDestination()
  player.connect(played)
  let source: AudioNode | undefined
  let last: AudioMoment | undefined
  player.port.onmessage = ({ data }) => {
    last = { streamMs: (data - frameSamples) / (pcmSampleRateHz / 1000), atMs: performance.now() }
  }

  return {
    track: played.stream.getAudioTracks()[0]!,
    play(frame) {
      // While the browser allows no playback the audio is lost, as that of WebRTC is: it would be late for ever after.
      if (context.state === 'running') player.port.postMessage(frame, [frame])
    },
    capture(microphone) {
      source?.disconnect()
      source = context.createMediaStreamSource(new MediaStream([microphone]))
      source.connect(capture)
    },
    moment: () => last,
    close() {
      for (const node of [source, capture, player]) node?.disconnect()
      for (const { port } of [capture, player]) {
        // Chromium keeps everything that the handler of a closed port refers to, such as the session.
        port.onmessage = null
        port.close()
      }
    },
  }
}
