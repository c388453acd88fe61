/** By the primary subtag of the language. */
const fillers: Readonly<Record<string, string>> = {
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
 * The text that the agent speaks while tools take long. `language` is the BCP 47 tag of the voice; null is English. Undefined for
 * a language without such a text.
 */
export const fillerIn = (language: string | null): string | undefined =>
  fillers[(language ?? 'en').split('-', 1)[0]!.toLowerCase()]
