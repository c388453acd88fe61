import { jest } from '@jest/globals'
import { describeWithPrograms } from '@parlance/testing'
import { describeEngine, type EngineContract } from './engine-contract.js'
import { openScene } from './engine-scene.js'

jest.setTimeout(60_000)

const espeak = (implementation: 'native' | 'wasm'): EngineContract => ({
  open: (capacity) => openScene({ processes: capacity, implementation }),
  voice: 'Ada',
})

describeEngine('eSpeak NG in WebAssembly', espeak('wasm'))
describeWithPrograms(['espeak-ng'], 'native', () => describeEngine("the machine's eSpeak NG", espeak('native')))
