import type { OfferedVoice } from '@parlance/contracts'
import type { Engine } from './engine/engine.js'
import type { Fallbacks } from './fallbacks.js'

/** What can be spoken in the lane of an engine now: all of its variants, or those that a healthy fallback speaks. */
export const speakableVoices = (engine: Engine, fallbacks: Fallbacks): readonly OfferedVoice[] => {
  if (engine.healthy()) return engine.voices
  return engine.voices.flatMap((voice) => {
    const variants = voice.variants.filter(({ id }) =>
      fallbacks.of(voice.id, id).some((instead) => instead.engine.healthy()),
    )
    return variants.length === 0 ? [] : [{ ...voice, variants }]
  })
}
