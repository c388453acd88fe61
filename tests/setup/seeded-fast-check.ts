// Not from @parlance/testing, which would load zod and the contracts for each suite with random input.
import { testSeed } from '../../libs/testing/src/test-seed.js'
import fc from '../../node_modules/fast-check/lib/fast-check.js'

/** What tests import as `fast-check`: every property of a file runs with one seed, which fast-check prints with a failure. */
fc.configureGlobal({ seed: testSeed() })

export * from '../../node_modules/fast-check/lib/fast-check.js'
export default fc
