import type { OfferedVoice } from '@parlance/contracts'
import type { Engine } from './engine/engine.js'
import type { FallbackConfig, VariantOfVoice } from './engines-config.js'
import { createVoiceFinder } from './requested-voice.js'

/** A variant of a voice, and the engine that speaks it. */
interface SpokenVariant {
  readonly engine: Engine
  readonly voice: OfferedVoice
  readonly variant: string
}

const keyOf = (voiceId: string, variant: string) => `${voiceId} ${variant}`

/**
 * Finds the voices that the configuration names among those of the engines. A chain is not
 * continued into another variant's chain, so two variants may name each other. A variant that occurs in its own chain is a
 * problem, because it has just failed.
 */
export const resolveFallbacks = (configs: readonly FallbackConfig[], engines: readonly Engine[]) => {
  const problems: string[] = []
  const chains = new Map<string, SpokenVariant[]>()

  const find = ({ voice: name, variant }: VariantOfVoice, place: string): SpokenVariant | undefined => {
    const named = engines.flatMap((engine) => {
      const voice = createVoiceFinder(engine.voices)(name)
      return voice === undefined ? [] : [{ engine, voice, variant }]
    })
    const found = named.find(({ voice }) => voice.variants.some(({ id }) => id === variant))
    if (named.length === 0) problems.push(`${place}.voice: no engine has a voice ${name}`)
    else if (found === undefined) problems.push(`${place}.variant: the voice ${name} has no variant ${variant}`)
    return found
  }

  for (const [index, config] of configs.entries()) {
    const place = `fallbacks.${index}`
    const asked = find(config, place)
    const chain = config.instead.map((other, at) => find(other, `${place}.instead.${at}`))
    const known = [asked, ...chain].filter((each) => each !== undefined)
    const keys = known.map(({ voice, variant }) => keyOf(voice.id, variant))
    if (new Set(keys).size < keys.length)
      problems.push(`${place}.instead: names a variant that is in the chain already`)
    if (asked === undefined) continue
    const key = keyOf(asked.voice.id, asked.variant)
    if (chains.has(key)) problems.push(`${place}: this variant has fallbacks already`)
    chains.set(
      key,
      chain.filter((each) => each !== undefined),
    )
  }
  return {
    /** The variants that replace one whose engine cannot speak, in order; often none. */
    of: (voiceId: string, variant: string): readonly SpokenVariant[] => chains.get(keyOf(voiceId, variant)) ?? [],
    /** The voices and variants that the configuration names and no engine has, one line each. */
    problems,
  }
}

export type Fallbacks = ReturnType<typeof resolveFallbacks>
