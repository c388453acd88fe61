import { createSpeechClient } from '@parlance/client/speech'
import { useEffect, useReducer, useState } from 'react'
import type { Api } from '../api/api.js'
import type { VoiceChoice } from '../voices/voice-choice.js'
import { SpeechPlayer } from './speech-player.js'
import { nextSpeechState, notSpoken, type SpeechEvent, type SpeechState } from './speech-state.js'
import { Waveform } from './waveform.js'

const mintStreamToken = async (api: Api): Promise<string> => {
  const { data } = await api.POST('/dashboard/api/v1/tts/stream-tokens', { params: {} })
  return data!.token
}

interface UseSpeech {
  readonly state: SpeechState
  readonly waveform: Waveform
  /** Call it from a click or a key press. */
  speak(text: string, voice: VoiceChoice): void
  stop(): void
  /** The text of the page is another one. */
  edit(): void
  report(event: SpeechEvent): void
}

/** Speaks texts, one at a time. `api` stays the same. */
export const useSpeech = (api: Api): UseSpeech => {
  const [state, dispatch] = useReducer(nextSpeechState, notSpoken)
  const [waveform] = useState(() => new Waveform())
  const [player] = useState(
    () =>
      new SpeechPlayer({
        speech: createSpeechClient({ streamToken: () => mintStreamToken(api) }),
        waveform,
        onEvent: dispatch,
      }),
  )

  useEffect(() => {
    const resume = () => void player.resumeAudio()
    const gestures = ['pointerdown', 'keydown'] as const
    for (const gesture of gestures) document.addEventListener(gesture, resume, { once: true })
    return () => {
      for (const gesture of gestures) document.removeEventListener(gesture, resume)
      player.close()
    }
  }, [player])

  return {
    state,
    waveform,
    speak: (text, voice) => void player.speak(text, voice),
    stop: () => player.stop(),
    edit() {
      player.forget()
      dispatch({ type: 'edited' })
    },
    report: dispatch,
  }
}
