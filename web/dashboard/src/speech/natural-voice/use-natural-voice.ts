import { useEffect, useReducer, useRef } from 'react'
import type { Api } from '../../api/api.js'
import { installOfferedModel } from '../../models/install-offered-model.js'
import type { Voice } from '../../voices/voice-queries.js'
import { type NaturalVoiceState, nextNaturalVoiceState } from './natural-voice-state.js'
import { awaitNewVoice, findNaturalVoice } from './voice-installation.js'

export interface UseNaturalVoice {
  /** Undefined while no voice is offered. */
  readonly state: NaturalVoiceState | undefined
  /** Installs the offered voice, whose licenses the person has accepted. `knownIds` are those of the voices that there are. */
  install(knownIds: readonly string[]): void
  cancel(): void
}

/** The offer of a natural voice, where no voice is natural. `onInstalled` gets all voices and the new one. */
export const useNaturalVoice = (api: Api, onInstalled: (voices: Voice[], added: Voice) => void): UseNaturalVoice => {
  const [state, dispatch] = useReducer(nextNaturalVoiceState, undefined)
  const running = useRef<AbortController>(undefined)

  useEffect(() => {
    let isCurrent = true
    // The page works without an offer, so a missing response is not an error.
    void findNaturalVoice(api)
      .then((offer) => isCurrent && offer !== undefined && dispatch({ type: 'offered', offer }))
      .catch(() => undefined)
    return () => {
      isCurrent = false
      running.current?.abort()
    }
  }, [api])

  const run = async (name: string, knownIds: readonly string[]): Promise<void> => {
    running.current = new AbortController()
    const { signal } = running.current
    dispatch({ type: 'received', bytes: 0 })
    try {
      await installOfferedModel(api, name, {
        signal,
        onBytes: (bytes) => dispatch({ type: 'received', bytes }),
        onMeasuring: () => dispatch({ type: 'measuring' }),
      })
      dispatch({ type: 'loading' })
      const { voices, added } = await awaitNewVoice(api, knownIds, signal)
      dispatch({ type: 'installed' })
      onInstalled(voices, added)
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'failed', error })
    }
  }

  return {
    state,
    install(knownIds) {
      if (state?.offer.voice) void run(state.offer.voice.name, knownIds)
    },
    cancel() {
      running.current?.abort()
      dispatch({ type: 'cancelled' })
    },
  }
}
