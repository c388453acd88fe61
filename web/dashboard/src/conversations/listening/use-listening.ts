import { useEffect, useState } from 'react'
import { fetchApi } from '../../api/api.js'
import { readAudioPieces } from './audio-pieces.js'
import { createLivePlayer, type LivePlayer } from './live-player.js'

export type ListeningState =
  | { readonly phase: 'connecting' | 'listening' | 'ended' }
  | { readonly phase: 'failed'; readonly error: unknown }

export interface Listening {
  readonly state: ListeningState
  /** Undefined before the first attempt. */
  readonly player: LivePlayer | undefined
  /** In seconds, rounded to tenths. */
  readonly leftOutSeconds: number
  /** After a failure. */
  retry(): void
}

/** Plays a live conversation from when the component is shown until it goes. */
export const useListening = (sessionId: string): Listening => {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<ListeningState>({ phase: 'connecting' })
  const [player, setPlayer] = useState<LivePlayer>()
  const [leftOutSeconds, setLeftOutSeconds] = useState(0)

  useEffect(() => {
    const left = new AbortController()
    const player = createLivePlayer()
    setPlayer(player)
    setState({ phase: 'connecting' })
    setLeftOutSeconds(0)
    const listen = async () => {
      const { data } = await fetchApi.POST('/dashboard/api/agent-sessions/{sessionId}/listen', {
        params: { path: { sessionId } },
        parseAs: 'stream',
        signal: left.signal,
      })
      setState({ phase: 'listening' })
      for await (const piece of readAudioPieces(data as unknown as ReadableStream<Uint8Array>)) {
        player.play(piece)
        setLeftOutSeconds(Math.round(player.leftOutMs() / 100) / 10)
      }
    }
    listen().then(
      () => setState({ phase: 'ended' }),
      (error: unknown) => {
        if (!left.signal.aborted) setState({ phase: 'failed', error })
      },
    )
    return () => {
      left.abort()
      player.close()
    }
  }, [sessionId, attempt])

  return { state, player, leftOutSeconds, retry: () => setAttempt((count) => count + 1) }
}
