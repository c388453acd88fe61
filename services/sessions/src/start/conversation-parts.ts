import { createModelKeys } from '@parlance/clients/model-keys'
import type { SessionUpdate } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Conversation, ConversationOptions } from '../conversation/conversation.js'
import { openConversation } from '../conversation/open-conversation.js'
import type { SessionsEnv } from '../env.js'
import type { FindLanguageModel } from '../llm/language-model.js'
import { createModelLists, type ModelLists } from '../llm/model-lists.js'
import { endpointsOf, openLanguageModels } from '../llm/open-language-models.js'
import { createProviderModels, type OpenProviderModel } from '../llm/provider-models.js'
import { loadNoiseSuppression, type OpenAudioFilter } from '../media/noise-suppression.js'
import { createFrameClock } from '../media/playback/frame-clock.js'
import { createPlayback, type Playback } from '../media/playback/playback.js'
import type { OpenedTransport, Transport } from '../media/transport.js'
import { createRestartableTransport } from '../media/webrtc/restartable-transport.js'
import { openWebRtcPort } from '../media/webrtc/webrtc-port.js'
import { openRecognizers } from '../stt/open-recognizers.js'
import type { Recognizer } from '../stt/recognizer.js'
import { openTurnDetectors } from '../turn-detector/open-turn-detectors.js'
import type { TurnDetector } from '../turn-detector/turn-detector.js'
import type { OpenVoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import { openSileroVoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'

/** The parts that conversations of this process share, and from which each gets its own. */
export interface ConversationParts {
  openConversation(options: ConversationOptions): Conversation
  /** `offer` is an SDP. Rejects with `invalid_sdp`. */
  openWebrtcTransport(
    offer: string,
    options: { readonly requestId: string; readonly needsAudio: boolean; readonly channelLabel?: string | undefined },
  ): Promise<OpenedTransport>
  createPlayback(transport: Transport): Playback
  openVoiceDetector: OpenVoiceDetector
  openNoiseSuppression: OpenAudioFilter
  /** For a BCP 47 tag; undefined when none is available. */
  findRecognizer(language: string): Recognizer | undefined
  /** For a BCP 47 tag; undefined when none is available. */
  findTurnDetector(language: string): TurnDetector | undefined
  /** All recognizers, the preferred first. */
  listRecognizers(): readonly Recognizer[]
  findLanguageModel: FindLanguageModel
  openProviderModel: OpenProviderModel
  modelLists: ModelLists
  /** To be called when no conversation is left. */
  close(): Promise<void>
}

export type OpenConversationParts = (
  platform: Pick<Platform, 'logger' | 'metrics' | 'readSecret' | 'tracing'>,
  env: SessionsEnv,
) => Promise<ConversationParts>

const anyAddress = '0.0.0.0'

export const openConversationParts: OpenConversationParts = async ({ logger, metrics, readSecret, tracing }, env) => {
  const frameClock = createFrameClock({
    onError: (err) => logger.error({ err }, 'A frame of a conversation could not be played'),
  })
  const port = await openWebRtcPort({
    bindAddress: env.SESSION_UDP_ADDRESS ?? anyAddress,
    port: env.SESSION_UDP_PORT,
    announcedAddress: env.SESSION_ANNOUNCED_ADDRESS,
    frameClock,
  })
  const [recognizers, turnDetectors, findLanguageModel, openNoiseSuppression] = await Promise.all([
    openRecognizers(env, { logger, readSecret }),
    openTurnDetectors({ modelsDir: env.MODELS_DIR, logger }),
    openLanguageModels(env, { logger, readSecret, telemetry: { metrics, tracing } }),
    loadNoiseSuppression(),
  ])
  const ofWorkspaces = {
    config: env,
    keys: createModelKeys(env.MODEL_PROVIDER_KEYS),
    allow: env.OUTBOUND_ALLOW,
    ports: env.OUTBOUND_PORTS,
  }
  // The first detector reads the model from disk, which no conversation should wait for.
  openSileroVoiceDetector()

  return {
    openConversation,
    async openWebrtcTransport(offer, options) {
      const accept = (sdp: string) => port.accept({ offer: sdp, ...options })
      const { transport, answer } = createRestartableTransport(accept, offer)
      const update = async ({ candidates, sdp }: SessionUpdate): Promise<string | null> => {
        if (sdp !== undefined) return transport.restart(sdp.sdp)
        for (const { candidate } of candidates ?? []) transport.addRemoteCandidate(candidate)
        return null
      }
      return { transport, answer, update }
    },
    createPlayback: (transport) =>
      createPlayback({ playFrame: transport.playFrame, frameClock, onUnderrun: metrics.sessionUnderrun }),
    openVoiceDetector: openSileroVoiceDetector,
    openNoiseSuppression,
    findRecognizer: recognizers.find,
    findTurnDetector: turnDetectors.find,
    listRecognizers: recognizers.list,
    findLanguageModel,
    openProviderModel: createProviderModels({ ...ofWorkspaces, telemetry: { metrics, tracing } }),
    modelLists: createModelLists({ ...ofWorkspaces, endpoints: endpointsOf(env, readSecret) }),
    async close() {
      await Promise.all([port.close(), recognizers.close(), turnDetectors.close()])
    },
  }
}
