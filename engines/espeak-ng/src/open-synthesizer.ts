import { EngineUnavailableError } from '@parlance/engine/host'
import { openNativeSynthesizer } from './native-synthesizer.js'
import type { Implementation, Synthesizer } from './synthesizer.js'
import { openWasmSynthesizer } from './wasm-synthesizer.js'

export interface SynthesizerChoice {
  /** `auto`, the default, takes the machine's own library where there is one. */
  readonly implementation?: Implementation | 'auto' | undefined
  /** Where libespeak-ng is; by default where the system finds it. */
  readonly library?: string | undefined
}

export interface ChosenSynthesizer extends Synthesizer {
  /** Why the native one, which was tried first, does not speak. */
  readonly nativeUnavailable?: string
}

/** Rejects with an `EngineUnavailableError` when the native one is insisted on and cannot be had. */
export const openSynthesizer = async ({
  implementation = 'auto',
  library,
}: SynthesizerChoice = {}): Promise<ChosenSynthesizer> => {
  if (implementation === 'wasm') return openWasmSynthesizer()
  try {
    return await openNativeSynthesizer(library)
  } catch (error) {
    if (implementation === 'native' || !(error instanceof EngineUnavailableError)) throw error
    return { ...(await openWasmSynthesizer()), nativeUnavailable: error.message }
  }
}
