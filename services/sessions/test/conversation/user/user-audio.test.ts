import { createUserAudio, type UserAudioOptions } from '../../../src/conversation/user/user-audio.js'
import type { FinishOptions, Recognizer } from '../../../src/stt/recognizer.js'
import { createFakeDetector } from '../fake-stages.js'

const silence = new Int16Array(320)
const voice = new Int16Array(320).fill(1)

/** The user's audio, with a recognizer that notes how each utterance is finished. */
const open = (options: Partial<UserAudioOptions> = {}) => {
  const finished: (FinishOptions | undefined)[] = []
  const recognizer: Recognizer = {
    name: 'noting',
    languages: undefined,
    open: () => ({
      push: () => {},
      preview: async () => 'so far',
      finish: async (options) => {
        finished.push(options)
        return { text: 'all', audioMs: 0 }
      },
      cancel: () => {},
    }),
    close: async () => {},
  }
  const audio = createUserAudio({
    inputMode: () => 'automatic',
    language: 'en',
    recognizer,
    voiceDetector: createFakeDetector(),
    turnDetector: undefined,
    onVoice: () => {},
    onPartial: () => {},
    onEndOfTurn: () => {},
    onFinal: () => {},
    onFailed: () => {},
    onBroken: (error) => {
      throw error
    },
    ...options,
  })
  return { audio, finished }
}

test('the end of an utterance may use its preview only when no voice followed', async () => {
  const { audio, finished } = open()
  const previewOf = async (utterance: number) => {
    audio.begin(utterance)
    audio.push(voice)
    audio.push(silence)
    expect(await audio.preview(utterance)).toBe('so far')
    audio.push(silence)
  }
  await previewOf(1)
  audio.finish(1)
  await previewOf(2)
  audio.push(voice)
  audio.push(silence)
  audio.finish(2)
  audio.begin(3)
  audio.push(silence)
  audio.finish(3)
  expect(finished).toEqual([true, false, false].map((silentSincePreview) => ({ silentSincePreview })))
  audio.close()
})

test('only the utterance in progress has a preview', async () => {
  const { audio } = open()
  expect(await audio.preview(1)).toBeUndefined()
  audio.begin(1)
  audio.finish(1)
  expect(await audio.preview(1)).toBeUndefined()
  audio.close()
})

test('a filter changes what is detected and recognized, and not what others receive', () => {
  const used: Int16Array[] = []
  const voices: boolean[] = []
  let isOpen = true
  const { audio } = open({
    audioFilter: {
      filter: () => silence,
      close: () => {
        isOpen = false
      },
    },
    onVoice: (on) => voices.push(on),
    onUserAudio: (frame) => used.push(frame),
  })
  audio.push(voice)
  audio.close()
  expect(used).toEqual([voice])
  expect(voices).toEqual([])
  expect(isOpen).toBe(false)
})
