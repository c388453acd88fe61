import type { RoutedVoice } from '@parlance/contracts'
import { standInVoice } from '@parlance/testing'

export const voiceId = '9f2c4c1e0b7d4a3f8e6d5c4b3a291807'

/** The lane in which the fakes speak. */
export const lane = 'fake'

/** A voice that speaks everything. Its variants have different prices. */
export const ada: RoutedVoice = {
  ...standInVoice,
  id: voiceId,
  variants: [
    ['standard', '0.015'],
    ['expensive', '1.5'],
  ].map(([id = '', credit_per_1k_characters = '']) => ({
    ...standInVoice.variants[0]!,
    id,
    display_name: id,
    formats: ['mp3', 'wav', 'pcm_s16le', 'opus', 'ulaw'],
    credit_per_1k_characters,
    engine: lane,
  })),
}
