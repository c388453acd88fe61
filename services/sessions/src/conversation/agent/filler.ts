import { type Phrases, phraseIn } from '../../llm/phrase.js'

const fillers: Phrases = {
  ar: 'لحظة من فضلك.',
  da: 'Et øjeblik.',
  de: 'Einen Moment, bitte.',
  en: 'One moment, please.',
  es: 'Un momento, por favor.',
  fi: 'Hetkinen.',
  fr: "Un instant, s'il vous plaît.",
  hi: 'एक क्षण।',
  it: 'Un momento, per favore.',
  ja: '少々お待ちください。',
  ko: '잠시만 기다려 주세요.',
  nb: 'Et øyeblikk.',
  nl: 'Een ogenblik, alstublieft.',
  no: 'Et øyeblikk.',
  pl: 'Chwileczkę.',
  pt: 'Um momento, por favor.',
  ru: 'Одну минуту, пожалуйста.',
  sv: 'Ett ögonblick.',
  tr: 'Bir dakika lütfen.',
  uk: 'Хвилинку, будь ласка.',
  zh: '请稍等。',
}

/**
 * Returns the text that the agent speaks while tools take long. `language` is that of the voice, a BCP 47 tag; null is taken
 * for English.
 */
export const fillerIn = (language: string | null): string | undefined => phraseIn(fillers, language)
