/** Short enough that a request over HTTP gives all of it to the engine at once. */
export const texts: Readonly<Record<string, string>> = {
  en: 'The train leaves at nine. Is that soon enough for you? We could also walk, of course… It takes an hour.\n\nWell then! Let us go, before it rains again.',
  de: 'Der Zug fährt am 3. Mai um neun. Ist das früh genug für Sie? Wir könnten bzw. sollten gehen. Es dauert eine Stunde!\n\nNa dann los, bevor es regnet.',
  fr: 'Le train part à neuf heures. Est-ce assez tôt pour vous ? Nous pourrions aussi marcher. Il faut une heure !\n\nAlors allons-y, avant la pluie.',
  es: 'El tren sale a las nueve de la mañana. ¿Es bastante pronto para usted? También podríamos caminar. ¡Se tarda una hora!\n\nPues vamos, antes de que llueva.',
}

/** Sentences too long to be put together, each with an abbreviation that its own language alone knows. */
export const padding: Readonly<Record<string, readonly string[]>> = {
  en: ['approx. ', 'word '],
  de: ['bzw. ', 'Wort '],
  fr: ['janv. ', 'mot '],
  es: ['aprox. ', 'palabra '],
  it: ['', 'parola '],
  pt: ['', 'palavra '],
  nl: ['', 'woord '],
  pl: ['3. ', 'słowo '],
  sv: ['', 'ord '],
}
