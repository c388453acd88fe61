import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fetchPreview } from './voice-queries.js'

/** A voice and one of its variants. */
export interface PreviewChoice {
  readonly voiceId: string
  readonly variant: string
}

const isSame = (a: PreviewChoice | undefined, b: PreviewChoice): boolean =>
  a?.voiceId === b.voiceId && a.variant === b.variant

/** Plays previews of voices, one at a time. The last choice counts: a preview that is loaded later than it is not played. */
export const usePreview = () => {
  const [playing, setPlaying] = useState<PreviewChoice>()
  const audio = useRef<HTMLAudioElement>(undefined)
  const load = useMutation({ mutationFn: ({ voiceId, variant }: PreviewChoice) => fetchPreview(voiceId, variant) })

  const stop = () => {
    audio.current?.pause()
    if (audio.current !== undefined) URL.revokeObjectURL(audio.current.src)
    audio.current = undefined
    setPlaying(undefined)
  }
  useEffect(() => stop, [])

  const play = (choice: PreviewChoice) => {
    stop()
    load.mutate(choice, {
      onSuccess(mp3) {
        const player = new Audio(URL.createObjectURL(mp3))
        audio.current = player
        player.onended = stop
        setPlaying(choice)
        // A browser that permits no sound leaves the button as it was.
        player.play().catch(stop)
      },
    })
  }

  return {
    play,
    /** Also of a preview that is still loading. */
    stop() {
      load.reset()
      stop()
    },
    error: load.error,
    isLoading: (choice: PreviewChoice) => load.isPending && isSame(load.variables, choice),
    isPlaying: (choice: PreviewChoice) => isSame(playing, choice),
  }
}
