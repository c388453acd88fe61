import { type AudioPiece, channelCount, sampleRateHz } from './audio-pieces.js'
import { createPlaySchedule } from './play-schedule.js'

export interface LivePlayer {
  /** Schedules a piece after the earlier ones. */
  play(piece: AudioPiece): void
  setMuted(isMuted: boolean): void
  /** How loud the user is now, from 0 to 1, also while muted. */
  getInputLevel(): number
  /** How loud the Agent is now, from 0 to 1, also while muted. */
  getOutputLevel(): number
  /** How much of the conversation was not played because it arrived too late. */
  leftOutMs(): number
  close(): void
}

/** Plays the audio of a live conversation about 200 ms after it arrived. Create it after a click or a key press. */
export const createLivePlayer = (): LivePlayer => {
  const context = new AudioContext({ sampleRate: sampleRateHz })
  const volume = new GainNode(context)
  const splitter = new ChannelSplitterNode(context, { numberOfOutputs: channelCount })
  // About 20 ms.
  const analysers = Array.from({ length: channelCount }, () => new AnalyserNode(context, { fftSize: 512 }))
  volume.connect(context.destination)
  for (const [channel, analyser] of analysers.entries()) splitter.connect(analyser, channel)
  void context.resume()

  const sources = new Set<AudioBufferSourceNode>()
  const schedule = createPlaySchedule()
  let nextAtMs = 0
  let leftOutMs = 0

  const stopAll = (): void => {
    for (const source of sources) source.disconnect()
    sources.clear()
  }
  const levelOf = (channel: number): number => {
    const analyser = analysers[channel]!
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    return samples.reduce((peak, sample) => Math.min(1, Math.max(peak, Math.abs(sample))), 0)
  }
  const bufferOf = (samples: Int16Array): AudioBuffer => {
    const length = samples.length / channelCount
    const buffer = new AudioBuffer({ numberOfChannels: channelCount, length, sampleRate: sampleRateHz })
    for (let channel = 0; channel < channelCount; channel++) {
      const ofChannel = Float32Array.from({ length }, (_, at) => samples[channelCount * at + channel]! / 32_768)
      buffer.copyToChannel(ofChannel, channel)
    }
    return buffer
  }

  return {
    play({ atMs, samples }) {
      if (samples.length === 0) return
      const source = new AudioBufferSourceNode(context, { buffer: bufferOf(samples) })
      const durationSeconds = source.buffer!.duration
      const { atSeconds, skippedSeconds } = schedule(context.currentTime, durationSeconds)
      if (skippedSeconds > 0) stopAll()
      leftOutMs += atMs - nextAtMs + skippedSeconds * 1_000
      nextAtMs = atMs + durationSeconds * 1_000
      source.connect(volume)
      source.connect(splitter)
      source.onended = () => sources.delete(source)
      sources.add(source)
      source.start(atSeconds)
    },
    setMuted(isMuted) {
      volume.gain.value = isMuted ? 0 : 1
    },
    getInputLevel: () => levelOf(0),
    getOutputLevel: () => levelOf(1),
    leftOutMs: () => leftOutMs,
    close: () => void context.close(),
  }
}
