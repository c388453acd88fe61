import { type Phrases, phraseIn } from './phrase.js'

const refusals: Phrases = {
  ar: 'لا أستطيع قول ذلك.',
  da: 'Det kan jeg ikke sige.',
  de: 'Das kann ich nicht sagen.',
  en: 'I can’t tell you that.',
  es: 'Eso no lo puedo decir.',
  fi: 'En voi kertoa sitä.',
  fr: 'Je ne peux pas le dire.',
  hi: 'यह बताना संभव नहीं है।',
  it: 'Non posso dirlo.',
  ja: 'それはお伝えできません。',
  ko: '그것은 말씀드릴 수 없습니다.',
  nb: 'Det kan jeg ikke si.',
  nl: 'Dat kan ik niet zeggen.',
  no: 'Det kan jeg ikke si.',
  pl: 'Nie mogę tego powiedzieć.',
  pt: 'Isso não posso dizer.',
  ru: 'Я не могу этого сказать.',
  sv: 'Det kan jag inte säga.',
  tr: 'Bunu söyleyemem.',
  uk: 'Я не можу цього сказати.',
  zh: '这个我不能说。',
}

/**
 * Returns the text that the Agent speaks instead of reciting its prompt. `language` is a BCP 47 tag; unknown languages get
 * English.
 */
export const promptRefusalIn = (language: string | null): string => phraseIn(refusals, language) ?? refusals.en!
