import { createHash } from 'node:crypto'
import type { EngineVoice } from '@parlance/engine/protocol'

/** A voice and flite's name for it. */
export interface FliteVoice extends EngineVoice {
  /** Such as `slt` of `libflite_cmu_us_slt`. */
  readonly fliteName: string
}

type Entry = Pick<FliteVoice, 'displayName' | 'description' | 'gender' | 'tags'>

/** The key is flite's name of the voice. The id, which Agents and programs store, is derived from it. */
const entries: Readonly<Record<string, Entry>> = {
  slt: {
    displayName: 'Nell',
    description: 'A measured American English voice, modeled on recordings of a speaker.',
    gender: 'female',
    tags: ['clear', 'composed'],
  },
  rms: {
    displayName: 'Rufus',
    description: 'A low, unhurried American English voice, modeled on recordings of a speaker.',
    gender: 'male',
    tags: ['deep', 'calm'],
  },
  awb: {
    displayName: 'Ewan',
    description: 'American English as a Scotsman reads it, modeled on recordings of a speaker.',
    gender: 'male',
    tags: ['regional'],
  },
  kal16: {
    displayName: 'Hal',
    description: 'The plain American English of early computers; by far the fastest of these.',
    gender: 'male',
    tags: ['retro', 'fast'],
  },
}

const tableMadeAt = '2026-11-21T00:00:00.000Z'

export const voices: readonly FliteVoice[] = Object.entries(entries).map(([fliteName, entry]) => ({
  ...entry,
  fliteName,
  id: createHash('sha256').update(`flite/${fliteName}`).digest('hex').slice(0, 32),
  languages: ['en-US', 'en'],
  license: 'Made with flite and its CMU voices, which are under a BSD-like license; the speech is free to use.',
  createdAt: tableMadeAt,
  updatedAt: tableMadeAt,
  variants: [{ id: 'flite', displayName: 'flite', creditPer1kCharacters: '0.015' }],
}))
