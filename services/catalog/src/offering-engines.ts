import type { OfferedVoice, OfferingEngine, SynthesisMethod } from '@parlance/contracts'

/** What one worker offers of one engine. */
interface EngineOffer {
  readonly instanceId: string
  readonly engine: string
  readonly synthesis: SynthesisMethod
  readonly voices: readonly OfferedVoice[]
}

/** The engines of these offers by name, with the workers that run each and the voices that it speaks. */
export const enginesOf = (offers: readonly EngineOffer[]): OfferingEngine[] =>
  [...new Set(offers.map(({ engine }) => engine))].sort().map((name) => {
    const ofEngine = offers.filter(({ engine }) => engine === name)
    return {
      name,
      synthesis: ofEngine[0]!.synthesis,
      workers: new Set(ofEngine.map(({ instanceId }) => instanceId)).size,
      voices: new Set(ofEngine.flatMap(({ voices }) => voices.map(({ id }) => id))).size,
    }
  })
