/** What the page offers to speak, in the languages of the built-in voices. */
const samples: Readonly<Record<string, string>> = {
  en: 'Hello! You have just made me speak. Every word lights up as you hear it. Write your own, and listen again.',
  de: 'Hallo! Du hast mich gerade zum Sprechen gebracht. Jedes Wort leuchtet auf, wenn du es hörst. Schreib etwas Eigenes und hör noch einmal zu.',
  es: '¡Hola! Acabas de hacerme hablar. Cada palabra se ilumina cuando la oyes. Escribe la tuya y vuelve a escuchar.',
  fr: 'Bonjour ! Vous venez de me faire parler. Chaque mot s’allume quand vous l’entendez. Écrivez le vôtre et écoutez encore.',
  it: 'Ciao! Mi hai appena fatto parlare. Ogni parola si illumina quando la senti. Scrivi la tua e ascolta di nuovo.',
  nl: 'Hallo! Je hebt me net laten spreken. Elk woord licht op terwijl je het hoort. Schrijf iets van jezelf en luister opnieuw.',
  pl: 'Cześć! Tak brzmi mój głos. Każde słowo podświetla się, gdy je słychać. Napisz coś od siebie i posłuchaj jeszcze raz.',
  pt: 'Olá! Você acabou de me fazer falar. Cada palavra se ilumina quando você a ouve. Escreva a sua e ouça de novo.',
  sv: 'Hej! Du fick mig just att tala. Varje ord lyser upp när du hör det. Skriv något eget och lyssna igen.',
}

/** The text to begin with. */
export const firstSample = samples.en!

/** The sample in the language of a tag, in place of a text that is a sample itself; any other text stays as it is. */
export const sampleFor = (tag: string, text: string): string =>
  Object.values(samples).includes(text) ? (samples[new Intl.Locale(tag).language] ?? text) : text
