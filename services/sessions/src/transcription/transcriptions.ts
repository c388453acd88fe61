import { createPendingWork, settlesWithin } from '@parlance/async'
import type { Handlers } from '@parlance/bus'
import { draining, type transcriptionContract } from '@parlance/contracts'
import { createAudioReader, type ReadAudioFile } from './audio-reader.js'
import type { AvailableRecognizers } from './transcribe.js'
import { createTranscribe } from './transcribe.js'
import { createTranscriptionTurns } from './transcription-turns.js'

export interface TranscriptionsOptions extends AvailableRecognizers {
  /** How many files are transcribed at once. */
  readonly limit: number
  /** The longest audio of a file. */
  readonly maxSeconds: number
  /** How long a file waits for its turn. Default 120,000. */
  readonly maxWaitMs?: number
  /** Default: a process for each file. */
  readonly readAudio?: ReadAudioFile
}

export interface Transcriptions {
  readonly handlers: Handlers<typeof transcriptionContract>
  /** Accepts no more files. Files in progress have this much time; then they fail with `draining`. */
  drain(limitMs: number): Promise<void>
}

/** Waiting files stay in the gateways that they were uploaded to, which limit their memory. */
const maxWaitingPerWorkspace = 100

/** The transcriptions of this process. */
export const createTranscriptions = ({
  limit,
  maxSeconds,
  maxWaitMs = 120_000,
  readAudio = createAudioReader({ maxDurationMs: maxSeconds * 1000 }),
  ...recognizers
}: TranscriptionsOptions): Transcriptions => {
  const { findRecognizer, listRecognizers } = recognizers
  const turns = createTranscriptionTurns({ limit, maxWaitingPerWorkspace, maxWaitMs })
  const transcribe = createTranscribe({ findRecognizer, listRecognizers, turns, readAudio })
  const stopped = new AbortController()
  const running = createPendingWork()
  let isDraining = false

  return {
    handlers: {
      async transcribe(request, { signal }, peer) {
        if (isDraining) throw draining()
        const end = running.begin()
        await transcribe(request, peer, AbortSignal.any([signal, stopped.signal])).finally(end)
      },
      listRecognizers: () => ({
        recognizers: listRecognizers().map(({ name, languages, isSlow }) => ({
          name,
          languages: languages === undefined ? null : [...languages],
          is_slow: isSlow === true,
        })),
      }),
    },
    async drain(limitMs) {
      isDraining = true
      const hasEnded = await settlesWithin(running.allDone(), limitMs)
      if (!hasEnded) stopped.abort(draining())
    },
  }
}
