import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Square, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fetchApi } from '../../api/api.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { LevelBars } from '../../talk/level-bars.js'
import { readAudioPieces } from './audio-pieces.js'
import { createLivePlayer, type LivePlayer } from './live-player.js'

type ListeningState =
  | { readonly phase: 'connecting' | 'listening' | 'ended' }
  | { readonly phase: 'failed'; readonly error: unknown }

interface Listening {
  readonly state: ListeningState
  /** Undefined before the first attempt. */
  readonly player: LivePlayer | undefined
  /** In seconds, rounded to tenths. */
  readonly leftOutSeconds: number
  /** After a failure. */
  retry(): void
}

/** Plays a live conversation from when the component is shown until it goes. */
const useListening = (sessionId: string): Listening => {
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

const words: Readonly<Record<Exclude<ListeningState['phase'], 'failed'>, string>> = {
  connecting: 'Connecting…',
  listening: 'The user is on the left, the Agent on the right. The audit log records that you listened.',
  ended: 'The conversation has ended.',
}

interface ListenPanelProps {
  readonly sessionId: string
  onClose(): void
}

/** Plays a live conversation, and shows how loud its sides are. */
export const ListenPanel = ({ sessionId, onClose }: ListenPanelProps) => {
  const { state, player, leftOutSeconds, retry } = useListening(sessionId)
  const [isMuted, setMuted] = useState(false)
  const isListening = state.phase === 'listening'
  const mute = (muted: boolean) => {
    player?.setMuted(muted)
    setMuted(muted)
  }
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="listening" data-phase={state.phase}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id="listening">
            Listening
          </Title>
          <Group gap="xs">
            {isListening && (
              <Button
                size="xs"
                variant="default"
                aria-pressed={isMuted}
                leftSection={isMuted ? <VolumeX size={14} /> : <Volume2 size={14} />}
                onClick={() => mute(!isMuted)}
              >
                Mute
              </Button>
            )}
            {isListening || state.phase === 'connecting' ? (
              <Button size="xs" variant="default" leftSection={<Square size={14} />} onClick={onClose}>
                Stop listening
              </Button>
            ) : (
              <Button size="xs" variant="default" onClick={onClose}>
                Close
              </Button>
            )}
          </Group>
        </Group>
        {state.phase === 'failed' ? (
          <ProblemAlert error={state.error} retry={retry} />
        ) : (
          <Text c="dimmed" role="status">
            {words[state.phase]}
          </Text>
        )}
        {player !== undefined && isListening && (
          <LevelBars client={player} withMicrophone inputLabel="Level of the user" />
        )}
        {leftOutSeconds > 0 && (
          <Text c="dimmed">{leftOutSeconds} s were left out because the connection was too slow.</Text>
        )}
      </Stack>
    </Paper>
  )
}
