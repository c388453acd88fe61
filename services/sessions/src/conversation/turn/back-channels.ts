/**
 * What listeners say to show that they follow: "mhm", "right", "I see". It is no wish to speak. For a language without a list only
 * sounds count, which are spelled alike in many languages.
 */

/** "Mhm", "mm-hmm", "uh-huh", "oh", "ähm", with any number of letters. */
const sounds = 'm*h*m+h*m*|(?:[aeouäö]+h+)+[amuo]*|hu+h+'

const backChannels: Readonly<Record<string, string>> = {
  en: "right|okay|ok|k|yeah|yep|yup|ya|yes|sure|i see|got it|gotcha|oh|ah|wow|really|cool|nice|great|good|fine|alright|all right|of course|exactly|true|that's right|uh huh|mm hmm|makes sense|i understand|interesting|absolutely|totally|um|er|erm",
  de: 'ja|jo|jep|genau|okay|ok|gut|klar|richtig|stimmt|alles klar|ach|ach so|achso|aha|verstehe|ich verstehe|verstanden|na klar|natürlich|echt|wirklich|super|schön|toll|tja',
  fr: "oui|ouais|d'accord|ok|okay|bien|bien sûr|très bien|je vois|je comprends|compris|ah bon|ah oui|voilà|exactement|tout à fait|vraiment|super|c'est vrai|euh|ben|bon|heu",
  es: 'sí|si|ya|vale|claro|claro que sí|ok|okay|bueno|bien|muy bien|entiendo|ya veo|de acuerdo|exacto|eso es|ajá|aja|en serio|de verdad|verdad|genial|este|em|pues',
}

const maxLength = 60

const expressionOf = (words: string): RegExp => new RegExp(`^(?:(?:${words}|${sounds})(?: |$))+$`, 'u')
const soundsOnly = expressionOf(sounds)
const expressions = new Map(Object.entries(backChannels).map(([language, words]) => [language, expressionOf(words)]))

/** Whether a text, in the language of a BCP 47 tag, has words and they are only back-channels and hesitations. */
export const isBackChannel = (text: string, language: string): boolean => {
  const spoken = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim()
  // The expressions take too long for longer texts.
  if (spoken.length > maxLength) return false
  return (expressions.get(language.split('-', 1)[0]!.toLowerCase()) ?? soundsOnly).test(spoken)
}
