import type { Queue } from '@parlance/async'
import { applyGain, concatPcm } from '@parlance/audio'
import { createTrailingSilence, punctuationPauseMs, silenceLevel } from '@parlance/speech/sentences'
import type { SpeechEvent, SpeechMarks } from '../engine/engine.js'
import type { RemoteEngineSettings } from './remote-config.js'
import { RemoteFailure } from './remote-failure.js'
import type { RemoteUtterance, SpeechServer } from './speech-server.js'

/** An utterance and its consumer. */
export interface RemoteSpeech {
  readonly utterance: RemoteUtterance
  /** The text before `plainText`; as long. */
  readonly originalText: string
  readonly volume: number
  readonly events: Queue<SpeechEvent>
  /** Aborted when the speech is no longer wanted. */
  readonly unwanted: AbortController
  /** The audio received so far. */
  audioMs: number
}

interface SpeechAttemptOptions {
  readonly server: SpeechServer
  readonly settings: Pick<RemoteEngineSettings, 'timeouts' | 'max_audio_ms_per_character'>
  readonly sampleRateHz: number
}

/** The audio that is allowed for any text. */
const allowanceMs = 30_000
/** More marks than this for each character are an error. */
const maxMarksPerCharacter = 20

/** Silence that is left before the first sound, as that of engine processes. */
const leadMs = 10

/** Leaves out the silence before the first sound of a speech. */
const createFirstSilence = (sampleRateHz: number) => {
  const leadSamples = Math.round((leadMs * sampleRateHz) / 1000)
  let hasSound = false
  let lead = new Int16Array(0)
  let droppedSamples = 0

  return {
    /** Returns the audio that is sent in place of `pcm`: none while there is no sound yet. */
    leaveOut(pcm: Int16Array): Int16Array {
      if (hasSound) return pcm
      const audio = concatPcm([lead, pcm])
      const first = audio.findIndex((sample) => Math.abs(sample) > silenceLevel)
      hasSound = first !== -1
      const dropped = Math.max(0, (hasSound ? first : audio.length) - leadSamples)
      droppedSamples += dropped
      lead = audio.slice(dropped)
      return hasSound ? lead : new Int16Array(0)
    },
    /** The rest of a speech without any sound. */
    rest: () => (hasSound ? new Int16Array(0) : lead),
    hasSound: () => hasSound,
    /** Moves a mark as far as the audio. */
    moved<Mark extends { readonly startMs: number; readonly endMs: number }>(mark: Mark): Mark {
      const droppedMs = (droppedSamples * 1000) / sampleRateHz
      return { ...mark, startMs: Math.max(0, mark.startMs - droppedMs), endMs: Math.max(0, mark.endMs - droppedMs) }
    },
  }
}

/**
 * Requests the speech once and passes on its audio and marks, within limits of time and of the length that such a text can
 * have. Rejects with a `RemoteFailure` when the speech is not complete.
 */
export const attemptSpeech = async (
  speech: RemoteSpeech,
  firstMs: number,
  { server, settings, sampleRateHz }: SpeechAttemptOptions,
): Promise<void> => {
  const { utterance, originalText, volume, events, unwanted } = speech
  const { text, speed } = utterance
  const { timeouts, max_audio_ms_per_character: maxMsPerCharacter } = settings
  const maxAudioMs = allowanceMs + (text.length * maxMsPerCharacter) / speed
  const maxMarks = 100 + text.length * maxMarksPerCharacter
  const deadline = createSpeechDeadline({
    unwanted: unwanted.signal,
    firstMs,
    idleMs: timeouts.idle_ms,
    totalMs: timeouts.total_ms,
  })
  const marks = createMarksWithinAudio()
  const silence = createFirstSilence(sampleRateHz)
  const trailing = createTrailingSilence(sampleRateHz)
  let markCount = 0
  const sendMarks = ({ words, phonemes }: SpeechMarks) => {
    if (words.length + phonemes.length === 0) return
    const asWritten = words.map((word) => ({
      ...silence.moved(word),
      text: originalText.slice(word.textStart, word.textEnd),
    }))
    events.push({ kind: 'marks', words: asWritten, phonemes: phonemes.map(silence.moved) })
  }
  const sendAudio = (pcm: Int16Array) => {
    if (pcm.length > 0) events.push({ kind: 'audio', pcm: applyGain(pcm, volume) })
  }

  try {
    await server.speak(utterance, deadline.signal, (part) => {
      if (deadline.signal.aborted) return
      if (part.kind === 'marks') {
        marks.add(part)
        markCount += (part.words?.length ?? 0) + (part.phonemes?.length ?? 0)
      } else if (part.pcm.length > 0) {
        deadline.received()
        speech.audioMs += (part.pcm.length * 1000) / sampleRateHz
        // Before the volume is changed: silence is measured at the server's own loudness.
        trailing.add(part.pcm)
        sendAudio(silence.leaveOut(part.pcm))
      }
      if (speech.audioMs > maxAudioMs || markCount > maxMarks) {
        deadline.giveUp(new RemoteFailure('broken', 'the server sent more than such a text can produce'))
      } else if (silence.hasSound()) sendMarks(marks.due(speech.audioMs))
    })
    deadline.signal.throwIfAborted()
    if (speech.audioMs === 0) throw new RemoteFailure('broken', 'the server sent no audio')
    sendAudio(silence.rest())
    sendMarks(marks.rest(speech.audioMs))
    const language = utterance.language ?? utterance.voice.languages[0]!
    const pauseMs = Math.max(0, punctuationPauseMs(originalText, { language, speed }) - trailing.ms())
    events.push({ kind: 'marks', words: [], phonemes: [], pauseMs })
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error
  } finally {
    deadline.clear()
  }
}

interface SpeechDeadlineOptions {
  /** Aborted when the speech is no longer wanted. */
  readonly unwanted: AbortSignal
  /** The limit for the first audio. */
  readonly firstMs: number
  /** The limit between two pieces of audio. */
  readonly idleMs: number
  /** The limit for the end. */
  readonly totalMs: number
}

interface SpeechDeadline {
  /** Aborted with the reason for which the attempt ends. */
  readonly signal: AbortSignal
  /** Audio was received. */
  received(): void
  giveUp(reason: unknown): void
  clear(): void
}

/** Ends an attempt that begins too late, pauses too long or takes too long. */
export const createSpeechDeadline = ({ unwanted, firstMs, idleMs, totalMs }: SpeechDeadlineOptions): SpeechDeadline => {
  const controller = new AbortController()
  const giveUp = (reason: unknown) => controller.abort(reason)
  const tooLate = (ms: number, what: string) =>
    setTimeout(() => giveUp(new RemoteFailure('silent', what)), Math.max(0, ms))
  const cancel = () => giveUp(unwanted.reason)

  let silence = tooLate(firstMs, 'the server did not begin to answer in time')
  const end = tooLate(totalMs, 'the server did not finish in time')
  let begun = false
  unwanted.addEventListener('abort', cancel, { once: true })
  if (unwanted.aborted) cancel()

  return {
    signal: controller.signal,
    received() {
      if (begun) return void silence.refresh()
      begun = true
      clearTimeout(silence)
      silence = tooLate(idleMs, 'the server stopped sending')
    },
    giveUp,
    clear() {
      clearTimeout(silence)
      clearTimeout(end)
      unwanted.removeEventListener('abort', cancel)
    },
  }
}

interface Timed {
  readonly startMs: number
  readonly endMs: number
}

/** Marks of one kind in order of time, without overlap. */
const createLine = <Mark extends Timed>() => {
  const waiting: Mark[] = []
  let lastMs = 0

  return {
    add(mark: Mark) {
      const startMs = Math.max(mark.startMs, lastMs)
      const endMs = Math.max(mark.endMs, startMs)
      lastMs = endMs
      waiting.push({ ...mark, startMs, endMs })
    },
    due(audioMs: number): Mark[] {
      const later = waiting.findIndex(({ endMs }) => endMs > audioMs)
      return waiting.splice(0, later === -1 ? waiting.length : later)
    },
    rest: (audioMs: number): Mark[] =>
      waiting
        .splice(0)
        .map((mark) => ({ ...mark, startMs: Math.min(mark.startMs, audioMs), endMs: Math.min(mark.endMs, audioMs) })),
  }
}

/**
 * Delays marks until their audio was received, since a server may send times before the sound, and times beyond its end.
 */
export const createMarksWithinAudio = () => {
  const words = createLine<SpeechMarks['words'][number]>()
  const phonemes = createLine<SpeechMarks['phonemes'][number]>()

  return {
    add(marks: Partial<SpeechMarks>) {
      for (const word of marks.words ?? []) words.add(word)
      for (const phoneme of marks.phonemes ?? []) phonemes.add(phoneme)
    },
    /** Returns the marks within this much audio. */
    due: (audioMs: number): SpeechMarks => ({ words: words.due(audioMs), phonemes: phonemes.due(audioMs) }),
    /** Returns the other marks, limited to the audio's length. */
    rest: (audioMs: number): SpeechMarks => ({ words: words.rest(audioMs), phonemes: phonemes.rest(audioMs) }),
  }
}
