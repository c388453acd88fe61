import { testSeed } from '@parlance/testing'
import fc from 'fast-check'

/** Every property test of this file runs with one seed; fast-check prints it with a failure. */
fc.configureGlobal({ seed: testSeed() })
