import fc from 'fast-check'
// Not from @parlance/testing, which would load zod and the contracts for a single suite too.
import { testSeed } from '../../libs/testing/src/test-seed.js'

/** Every property of a run has one seed, which fast-check prints with a failure. */
fc.configureGlobal({ seed: testSeed() })
