import { useRef, useState } from 'react'
import type { Recording } from './recording-queries.js'

type Positions = Recording['positions']

/** Such as "1:07". */
export const formatPosition = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A seek ends slightly before the requested position. */
const toleranceMs = 50

/** The message that is played at `ms`: the one that began last. */
const messageAt = (positions: Positions, ms: number): string | undefined => {
  const begun = positions.filter(({ start_ms }) => start_ms <= ms + toleranceMs)
  return begun.reduce<Positions[number] | undefined>(
    (last, position) => (last === undefined || position.start_ms >= last.start_ms ? position : last),
    undefined,
  )?.message_id
}

/** Plays a recording in step with the messages of its conversation. */
export const usePlayer = (positions: Positions) => {
  const audio = useRef<HTMLAudioElement>(null)
  const [currentId, setCurrentId] = useState<string>()
  const startOf = (messageId: string): number | undefined =>
    positions.find(({ message_id }) => message_id === messageId)?.start_ms
  return {
    audio,
    /** The message that is played, or was played last. */
    currentId,
    startOf,
    /** Called when the position of the audio has changed. */
    follow() {
      if (audio.current !== null) setCurrentId(messageAt(positions, audio.current.currentTime * 1000))
    },
    /** Plays from the beginning of a message. Does nothing until the audio is loaded. */
    playFrom(messageId: string) {
      const startMs = startOf(messageId)
      if (startMs === undefined || audio.current === null) return
      audio.current.currentTime = startMs / 1000
      // A browser that permits no sound stays at the position.
      audio.current.play().catch(() => {})
    },
  }
}

export type Player = ReturnType<typeof usePlayer>
