import type { PushStream } from '@parlance/async/push-stream'
import { resolveOutput } from '@parlance/audio'
import { firstAudioDeadline, type OpenSpeechBill, type SpeechBill, type Synthesize } from '@parlance/clients/speech'
import type { AgentConfig, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import { sentRateHz } from '../../media/transport.js'
import type { SpeakSegment } from '../conversation.js'

export interface SessionSpeech {
  readonly speakSegment: SpeakSegment
  /** The charges for all speech so far, in billionths of a credit. */
  chargedNano(): bigint
  /** Resolves when the bill of every segment that was settled is closed. */
  allClosed(): Promise<void>
}

export interface SessionSpeechOptions {
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  readonly workspaceId: string
  readonly keyId: string
  readonly agentId: string
  readonly requestId: string
  readonly config: AgentConfig
  readonly firstAudioDeadlineMs: number
  /** Called when `characters` more code points were played, which are charged. */
  onSpoken(characters: number): void
}

/** The voice of an Agent in one conversation, and what it costs. */
export const createSessionSpeech = (options: SessionSpeechOptions): SessionSpeech => {
  const { openBill, synthesize, workspaceId, keyId, agentId, requestId, config, onSpoken } = options
  const { voice_config } = config
  const context = { requestId }
  const open = new Set<Promise<void>>()
  let chargedNano = 0n

  const requestOf = (text: string, isPrivate: boolean): SynthesisRequest => ({
    workspace_id: workspaceId,
    text,
    cuts: [],
    private: isPrivate,
    voice: config.voice_id,
    variant: voice_config.tts_variant,
    language: voice_config.language,
    output: resolveOutput({ format: 'pcm_s16le', sample_rate: sentRateHz }),
    speed: voice_config.speed,
    volume: voice_config.volume,
    alignment: ['word', 'viseme'],
  })

  const speakSegment: SpeakSegment = ({ text }, { private: isPrivate }) => {
    let bill: SpeechBill | undefined
    let played: number | undefined

    /** Settles the bill once it is open and the number of characters that were played is known, whichever comes last. */
    const pay = (): void => {
      if (bill === undefined || played === undefined) return
      const { characters, nano } = bill.settle(played)
      chargedNano += nano
      if (characters > 0) onSpoken(characters)
    }

    const speak: PushStream<SynthesisChunk> = async (sink, signal) => {
      const request = requestOf(text, isPrivate)
      bill = await openBill({
        principal: { workspace_id: workspaceId, key_id: keyId },
        characters: countCodePoints(text),
        request,
        agentId,
        context,
      })
      pay()
      const speech = synthesize(bill.request, {
        context,
        lane: bill.engine,
        deadlineMs: firstAudioDeadline(bill, options.firstAudioDeadlineMs),
        purpose: 'reply',
      })
      await speech(sink, signal)
    }

    return {
      async chunks(sink, signal) {
        const closed = speak(sink, signal)
        const settled = closed.catch(() => undefined)
        open.add(settled)
        await closed.finally(() => open.delete(settled))
      },
      settle(characters) {
        if (played !== undefined) return
        played = characters
        pay()
      },
    }
  }

  return {
    speakSegment,
    chargedNano: () => chargedNano,
    async allClosed() {
      await Promise.all(open)
    },
  }
}
