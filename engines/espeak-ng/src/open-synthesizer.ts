import { EngineUnavailableError } from '@parlance/engine/host'
import { openNativeSynthesizer } from './native-synthesizer.js'
import type { Implementation, Synthesizer } from './synthesizer.js'

export interface SynthesizerChoice {
  /** `auto`, the default, uses the system's library where it is installed. */
  readonly implementation?: Implementation | 'auto' | undefined
  /** The path of libespeak-ng; by default the system finds it. */
  readonly library?: string | undefined
}

export interface ChosenSynthesizer extends Synthesizer {
  /** Why the native library, which was tried first, is not used. */
  readonly nativeUnavailable?: string
}

/** The WebAssembly build is not loaded where the system has the library. */
const openWasmSynthesizer = async (): Promise<Synthesizer> =>
  (await import('./wasm-synthesizer.js')).openWasmSynthesizer()

/** Rejects with an `EngineUnavailableError` when `implementation` is `native` and the library cannot be used. */
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
