import { createHash } from 'node:crypto'
import type { EspeakVoice } from './espeak-voice.js'
import { voiceTable } from './voice-table.js'

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
