import fc from 'fast-check'
import { testSeed } from '../../libs/testing/src/test-seed.js'

/** Every property of a run has one seed, which fast-check prints with a failure. */
fc.configureGlobal({ seed: testSeed() })
