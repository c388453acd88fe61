import { describeWithPrograms } from '@parlance/testing'
import type { Implementation } from '../src/index.js'

/** Runs a suite over both implementations: WebAssembly, and the installed library if there is one. */
export const describeImplementations = (name: string, suite: (implementation: Implementation) => void): void => {
  describe(`${name}, as WebAssembly`, () => suite('wasm'))
  describeWithPrograms(['espeak-ng'], `${name}, from the machine's library`, () => suite('native'))
}
