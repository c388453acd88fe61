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
  /** In percent of eSpeak's own loudness for this timbre, so that eSpeak clips none. `voice-gains.ts` has the rest. */
  readonly loudness: number
}
