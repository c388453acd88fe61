import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Api, fetchApi } from '../api/api.js'
import type { VoiceChoice } from './voice-choice.js'
import { fetchPreview } from './voice-queries.js'

const isSame = (a: VoiceChoice | undefined, b: VoiceChoice): boolean =>
  a?.voiceId === b.voiceId && a.variant === b.variant

/** Plays previews of voices, one at a time. The last choice counts: a preview that is loaded later than it is not played. */
export const usePreview = (api: Api = fetchApi) => {
  const [playing, setPlaying] = useState<VoiceChoice>()
  const audio = useRef<HTMLAudioElement>(undefined)
  const load = useMutation({ mutationFn: ({ voiceId, variant }: VoiceChoice) => fetchPreview(api, voiceId, variant) })

  const stop = () => {
    audio.current?.pause()
    if (audio.current !== undefined) URL.revokeObjectURL(audio.current.src)
    audio.current = undefined
    setPlaying(undefined)
  }
  useEffect(() => stop, [])

  const play = (choice: VoiceChoice) => {
    stop()
    load.mutate(choice, {
      onSuccess(mp3) {
        const player = new Audio(URL.createObjectURL(mp3))
        audio.current = player
        player.onended = stop
        setPlaying(choice)
        // A browser that permits no sound leaves the button unchanged.
        player.play().catch(stop)
      },
    })
  }

  const isPlaying = (choice: VoiceChoice) => isSame(playing, choice)
  return {
    /** Plays it, or while it plays stops it and the one that is loading. */
    toggle(choice: VoiceChoice) {
      if (!isPlaying(choice)) return play(choice)
      load.reset()
      stop()
    },
    error: load.error,
    isLoading: (choice: VoiceChoice) => load.isPending && isSame(load.variables, choice),
    isPlaying,
  }
}
