import { createHash } from 'node:crypto'
import type { EngineVoice } from '@parlance/engine/protocol'
import { voiceTable } from './voice-table.js'

/** A voice and eSpeak's settings for it. */
export interface EspeakVoice extends EngineVoice {
  /** eSpeak's name of the language to speak for each tag in `languages`. */
  readonly espeakLanguages: Readonly<Record<string, string>>
  /** One of eSpeak's voice variants. */
  readonly timbre: string
  /** 0 to 99, 50 is the timbre's own. */
  readonly pitch: number
  /** How much the pitch varies: 0 to 99, 0 is monotone. */
  readonly range: number
  readonly wordsPerMinute: number
  /** In percent of eSpeak's own loudness for this timbre, so that eSpeak clips none. `voice-gains.ts` has the rest. */
  readonly loudness: number
}

const tableMadeAt = '2026-11-21T00:00:00.000Z'

const voiceId = (key: string): string => createHash('sha256').update(`espeak-ng/${key}`).digest('hex').slice(0, 32)

export const voices: readonly EspeakVoice[] = Object.entries(voiceTable).map(([key, entry]) => ({
  ...entry,
  id: voiceId(key),
  languages: Object.keys(entry.espeakLanguages),
  license: 'Made with eSpeak NG, which is licensed under GPL-3.0-or-later; the speech it makes is free to use.',
  createdAt: tableMadeAt,
  updatedAt: tableMadeAt,
  variants: [{ id: 'standard', displayName: 'Standard', creditPer1kCharacters: '0.015' }],
}))
