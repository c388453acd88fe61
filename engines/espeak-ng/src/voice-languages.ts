/** The languages of a voice: eSpeak's name of the language to speak for each tag that a request may name. */
export const americanEnglish = { 'en-US': 'en-us', en: 'en-us' }
export const britishEnglish = { 'en-GB': 'en-gb-x-rp', en: 'en-gb-x-rp' }
export const scottishEnglish = { 'en-GB-scotland': 'en-gb-scotland', 'en-GB': 'en-gb-scotland', en: 'en-gb-scotland' }
export const german = { 'de-DE': 'de', de: 'de' }
export const french = { 'fr-FR': 'fr', fr: 'fr' }
export const castilian = { 'es-ES': 'es', es: 'es' }
export const latinAmericanSpanish = { 'es-419': 'es-419', es: 'es-419' }
export const italian = { 'it-IT': 'it', it: 'it' }
export const brazilian = { 'pt-BR': 'pt-br', pt: 'pt-br' }
export const portuguese = { 'pt-PT': 'pt', pt: 'pt' }
export const dutch = { 'nl-NL': 'nl', nl: 'nl' }
export const polish = { 'pl-PL': 'pl', pl: 'pl' }
export const swedish = { 'sv-SE': 'sv', sv: 'sv' }
