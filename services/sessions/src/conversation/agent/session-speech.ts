/**
 * The voice of an Agent in one conversation, and what it costs.
 *
 * - Credit is reserved ahead: segments share a bill while one of them waits or is played, so that a reply of a usual length has
 *   one reservation. The bill is settled for what was played of all its segments when the last of them is settled.
 * - Where that much credit is not left, only the text at hand is reserved.
 */
import { createPendingWork } from '@parlance/async'
import type { PushStream } from '@parlance/async/push-stream'
import { resolveOutput } from '@parlance/audio'
import { firstAudioDeadline, type OpenSpeechBill, type SpeechBill, type Synthesize } from '@parlance/clients/speech'
import { type AgentConfig, ServiceError, type SynthesisChunk, type SynthesisRequest } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import { sentRateHz } from '../../media/transport.js'
import type { SpeakSegment } from '../conversation.js'

interface SessionSpeechOptions {
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

/** The reservation of a bill that segments share, in code points: about a minute of speech. */
const reservedCharacters = 1_000

interface SharedBill {
  readonly opened: Promise<SpeechBill>
  /** The code points that are reserved and belong to no segment yet. */
  left: number
  /** How many of its segments are not settled. */
  unsettled: number
  played: number
}

export type SessionSpeech = ReturnType<typeof createSessionSpeech>

export const createSessionSpeech = (options: SessionSpeechOptions) => {
  const { openBill, synthesize, workspaceId, keyId, agentId, requestId, config, onSpoken } = options
  const { voice_config } = config
  const context = { requestId }
  const pending = createPendingWork()
  let current: SharedBill | undefined
  let chargedNano = 0n

  /** Adds to what `allClosed` waits for. */
  const track = (work: Promise<unknown>): void => {
    const end = pending.begin()
    work.then(end, end)
  }

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

  const openSharedBill = (request: SynthesisRequest, characters: number): SharedBill => {
    const openFor = (reserved: number): Promise<SpeechBill> =>
      openBill({
        principal: { workspace_id: workspaceId, key_id: keyId },
        characters: reserved,
        request,
        agentId,
        context,
      })
    const reserved = Math.max(characters, reservedCharacters)
    const opened = openFor(reserved).catch((error: unknown) => {
      const joined = reserved - bill.left
      bill.left = 0
      if (!(error instanceof ServiceError) || error.code !== 'insufficient_credit') throw error
      return openFor(joined)
    })
    const bill: SharedBill = { opened, left: reserved, unsettled: 0, played: 0 }
    return bill
  }

  /** The bill of a segment with so many code points. */
  const joinBill = (request: SynthesisRequest, characters: number): SharedBill => {
    if (current === undefined || current.left < characters) current = openSharedBill(request, characters)
    current.left -= characters
    current.unsettled += 1
    return current
  }

  const leaveBill = (bill: SharedBill, played: number): void => {
    bill.played += played
    bill.unsettled -= 1
    if (played > 0) onSpoken(played)
    if (bill.unsettled > 0) return
    if (bill === current) current = undefined
    track(
      bill.opened.then((opened) => {
        chargedNano += opened.settle(bill.played).nano
      }),
    )
  }

  const speakSegment: SpeakSegment = ({ text }, { private: isPrivate }) => {
    const characters = countCodePoints(text)
    let bill: SharedBill | undefined
    let played: number | undefined

    const speak: PushStream<SynthesisChunk> = async (sink, signal) => {
      const request = requestOf(text, isPrivate)
      bill = joinBill(request, characters)
      if (played !== undefined) leaveBill(bill, played)
      const { request: billed, ...terms } = await bill.opened
      const speech = synthesize(
        { ...request, voice: billed.voice, variant: billed.variant },
        {
          context,
          lane: terms.engine,
          deadlineMs: firstAudioDeadline(terms, options.firstAudioDeadlineMs),
          purpose: 'reply',
        },
      )
      await speech(sink, signal)
    }

    return {
      chunks(sink, signal) {
        const spoken = speak(sink, signal)
        track(spoken)
        return spoken
      },
      settle(given) {
        if (played !== undefined) return
        played = Math.min(given, characters)
        if (bill !== undefined) leaveBill(bill, played)
      },
    }
  }

  return {
    speakSegment,
    /** The charges for all speech so far, in billionths of a credit. */
    chargedNano: () => chargedNano,
    /** Resolves when the bill of every segment that was settled is closed. */
    allClosed: pending.allDone,
  }
}
