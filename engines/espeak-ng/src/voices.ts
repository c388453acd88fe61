import { createHash } from 'node:crypto'
import type { EngineVoice } from '@parlance/engine/protocol'

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
  /** In percent of eSpeak's own loudness for this timbre. All voices are about equally loud and none is clipped. */
  readonly loudness: number
}

type Entry = Omit<EspeakVoice, 'id' | 'languages' | 'license' | 'createdAt' | 'updatedAt' | 'variants'>

const americanEnglish = { 'en-US': 'en-us', en: 'en-us' }
const britishEnglish = { 'en-GB': 'en-gb-x-rp', en: 'en-gb-x-rp' }
const scottishEnglish = { 'en-GB-scotland': 'en-gb-scotland', 'en-GB': 'en-gb-scotland', en: 'en-gb-scotland' }
const german = { 'de-DE': 'de', de: 'de' }
const french = { 'fr-FR': 'fr', fr: 'fr' }
const castilian = { 'es-ES': 'es', es: 'es' }
const latinAmericanSpanish = { 'es-419': 'es-419', es: 'es-419' }
const italian = { 'it-IT': 'it', it: 'it' }
const brazilian = { 'pt-BR': 'pt-br', pt: 'pt-br' }
const portuguese = { 'pt-PT': 'pt', pt: 'pt' }
const dutch = { 'nl-NL': 'nl', nl: 'nl' }
const polish = { 'pl-PL': 'pl', pl: 'pl' }
const swedish = { 'sv-SE': 'sv', sv: 'sv' }

/**
 * The id is derived from the key. Agents and programs store the id, so a key never changes, even when the display name does.
 */
const entries: Readonly<Record<string, Entry>> = {
  ada: {
    displayName: 'Ada',
    description: 'Clear and even, made for long answers in American English.',
    gender: 'female',
    tags: ['clear', 'warm'],
    espeakLanguages: americanEnglish,
    timbre: 'f2',
    pitch: 45,
    range: 55,
    wordsPerMinute: 170,
    loudness: 76,
  },
  grace: {
    displayName: 'Grace',
    description: 'High and bright American English, quick on its feet.',
    gender: 'female',
    tags: ['bright', 'lively'],
    espeakLanguages: americanEnglish,
    timbre: 'belinda',
    pitch: 50,
    range: 65,
    wordsPerMinute: 178,
    loudness: 63,
  },
  walter: {
    displayName: 'Walter',
    description: 'Low and unhurried American English.',
    gender: 'male',
    tags: ['deep', 'calm'],
    espeakLanguages: americanEnglish,
    timbre: 'm3',
    pitch: 35,
    range: 45,
    wordsPerMinute: 162,
    loudness: 94,
  },
  oscar: {
    displayName: 'Oscar',
    description: 'A friendly American English voice of middle height.',
    gender: 'male',
    tags: ['friendly'],
    espeakLanguages: americanEnglish,
    timbre: 'm7',
    pitch: 58,
    range: 60,
    wordsPerMinute: 172,
    loudness: 70,
  },
  edith: {
    displayName: 'Edith',
    description: 'Composed British English, a good reader.',
    gender: 'female',
    tags: ['composed', 'narration'],
    espeakLanguages: britishEnglish,
    timbre: 'f3',
    pitch: 48,
    range: 50,
    wordsPerMinute: 168,
    loudness: 80,
  },
  arthur: {
    displayName: 'Arthur',
    description: 'British English with an announcer’s gravity.',
    gender: 'male',
    tags: ['formal', 'deep'],
    espeakLanguages: britishEnglish,
    timbre: 'm1',
    pitch: 46,
    range: 48,
    wordsPerMinute: 166,
    loudness: 91,
  },
  angus: {
    displayName: 'Angus',
    description: 'Scottish English, plain and sturdy.',
    gender: 'male',
    tags: ['regional', 'friendly'],
    espeakLanguages: scottishEnglish,
    timbre: 'm6',
    pitch: 44,
    range: 58,
    wordsPerMinute: 170,
    loudness: 71,
  },
  clara: {
    displayName: 'Clara',
    description: 'Friendly standard German.',
    gender: 'female',
    tags: ['friendly', 'clear'],
    espeakLanguages: german,
    timbre: 'f5',
    pitch: 42,
    range: 52,
    wordsPerMinute: 168,
    loudness: 73,
  },
  emil: {
    displayName: 'Emil',
    description: 'Calm standard German.',
    gender: 'male',
    tags: ['calm'],
    espeakLanguages: german,
    timbre: 'm4',
    pitch: 48,
    range: 50,
    wordsPerMinute: 165,
    loudness: 73,
  },
  elise: {
    displayName: 'Élise',
    description: 'Light, melodious French.',
    gender: 'female',
    tags: ['light', 'lively'],
    espeakLanguages: french,
    timbre: 'f1',
    pitch: 52,
    range: 60,
    wordsPerMinute: 172,
    loudness: 68,
  },
  luc: {
    displayName: 'Luc',
    description: 'Composed French of middle height.',
    gender: 'male',
    tags: ['composed'],
    espeakLanguages: french,
    timbre: 'm2',
    pitch: 50,
    range: 50,
    wordsPerMinute: 170,
    loudness: 106,
  },
  lucia: {
    displayName: 'Lucía',
    description: 'Lively Castilian Spanish.',
    gender: 'female',
    tags: ['lively'],
    espeakLanguages: castilian,
    timbre: 'f4',
    pitch: 55,
    range: 62,
    wordsPerMinute: 176,
    loudness: 72,
  },
  diego: {
    displayName: 'Diego',
    description: 'Relaxed Latin American Spanish.',
    gender: 'male',
    tags: ['friendly', 'relaxed'],
    espeakLanguages: latinAmericanSpanish,
    timbre: 'm8',
    pitch: 50,
    range: 58,
    wordsPerMinute: 170,
    loudness: 137,
  },
  giulia: {
    displayName: 'Giulia',
    description: 'Warm Italian with a singing melody.',
    gender: 'female',
    tags: ['warm', 'lively'],
    espeakLanguages: italian,
    timbre: 'linda',
    pitch: 44,
    range: 68,
    wordsPerMinute: 172,
    loudness: 63,
  },
  beatriz: {
    displayName: 'Beatriz',
    description: 'Soft Brazilian Portuguese.',
    gender: 'female',
    tags: ['soft', 'warm'],
    espeakLanguages: brazilian,
    timbre: 'f2',
    pitch: 56,
    range: 58,
    wordsPerMinute: 168,
    loudness: 69,
  },
  tiago: {
    displayName: 'Tiago',
    description: 'European Portuguese, quiet and close.',
    gender: 'male',
    tags: ['calm'],
    espeakLanguages: portuguese,
    timbre: 'm5',
    pitch: 50,
    range: 48,
    wordsPerMinute: 168,
    loudness: 91,
  },
  sanne: {
    displayName: 'Sanne',
    description: 'Clear, matter-of-fact Dutch.',
    gender: 'female',
    tags: ['clear'],
    espeakLanguages: dutch,
    timbre: 'f3',
    pitch: 58,
    range: 52,
    wordsPerMinute: 172,
    loudness: 74,
  },
  zofia: {
    displayName: 'Zofia',
    description: 'Attentive Polish.',
    gender: 'female',
    tags: ['clear', 'composed'],
    espeakLanguages: polish,
    timbre: 'f1',
    pitch: 46,
    range: 50,
    wordsPerMinute: 168,
    loudness: 64,
  },
  astrid: {
    displayName: 'Astrid',
    description: 'Swedish with its up and down well marked.',
    gender: 'female',
    tags: ['bright'],
    espeakLanguages: swedish,
    timbre: 'f4',
    pitch: 47,
    range: 66,
    wordsPerMinute: 170,
    loudness: 61,
  },
  noa: {
    displayName: 'Noa',
    description: 'One voice for many languages: American English unless another is asked for.',
    gender: 'neutral',
    tags: ['multilingual', 'neutral'],
    espeakLanguages: {
      ...americanEnglish,
      'en-GB': 'en-gb-x-rp',
      ...german,
      ...french,
      ...castilian,
      'es-419': 'es-419',
      ...italian,
      ...portuguese,
      ...brazilian,
      ...dutch,
      ...polish,
      ...swedish,
    },
    timbre: 'Alex',
    pitch: 60,
    range: 52,
    wordsPerMinute: 170,
    loudness: 98,
  },
}

const tableMadeAt = '2026-11-21T00:00:00.000Z'

const voiceId = (key: string): string => createHash('sha256').update(`espeak-ng/${key}`).digest('hex').slice(0, 32)

export const voices: readonly EspeakVoice[] = Object.entries(entries).map(([key, entry]) => ({
  ...entry,
  id: voiceId(key),
  languages: Object.keys(entry.espeakLanguages),
  license: 'Made with eSpeak NG, which is licensed under GPL-3.0-or-later; the speech it makes is free to use.',
  createdAt: tableMadeAt,
  updatedAt: tableMadeAt,
  variants: [{ id: 'standard', displayName: 'Standard', creditPer1kCharacters: '0.015' }],
}))
