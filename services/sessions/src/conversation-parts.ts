import { ServiceError } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Conversation, ConversationOptions } from './conversation/conversation.js'
import type { SessionsEnv } from './env.js'
import type { FindLanguageModel } from './language-model/language-model.js'
import type { Playout } from './playout/playout.js'
import type { Recognizer } from './recognition/recognizer.js'
import type { OpenedTransport } from './transport/opened-transport.js'
import type { Transport } from './transport/transport.js'
import type { OpenVoiceDetector } from './voice-activity/voice-detector.js'

/** What conversations are put together of, in this process. */
export interface ConversationParts {
  openConversation(options: ConversationOptions): Conversation
  /** `offer` is an SDP. Rejects with `invalid_sdp`. */
  openWebrtcTransport(offer: string, options: { readonly requestId: string }): Promise<OpenedTransport>
  createPlayout(transport: Transport): Playout
  openVoiceDetector: OpenVoiceDetector
  /** For a BCP 47 tag; undefined where none is at hand. */
  findRecognizer(language: string): Recognizer | undefined
  findLanguageModel: FindLanguageModel
  /** When no conversation is left. */
  close(): Promise<void>
}

export type OpenConversationParts = (
  platform: Pick<Platform, 'logger' | 'metrics' | 'readSecret'>,
  env: SessionsEnv,
) => Promise<ConversationParts>

const missing = (): never => {
  throw new ServiceError('unavailable', 'This installation holds no conversations.')
}

export const openConversationParts: OpenConversationParts = async () => ({
  openConversation: missing,
  openWebrtcTransport: missing,
  createPlayout: missing,
  openVoiceDetector: missing,
  findRecognizer: missing,
  findLanguageModel: missing,
  close: async () => {},
})
