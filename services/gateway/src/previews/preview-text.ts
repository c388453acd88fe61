/** A sentence in each language of the built-in voices and of the languages with most models. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'مرحبا! هكذا يبدو صوتي.',
  cs: 'Dobrý den! Takhle zní můj hlas.',
  da: 'Hej! Sådan lyder min stemme.',
  de: 'Hallo! So klingt meine Stimme, wenn ich dir etwas vorlese.',
  en: 'Hello! This is how my voice sounds when I read something to you.',
  es: '¡Hola! Así suena mi voz cuando te leo algo.',
  fi: 'Hei! Tältä ääneni kuulostaa.',
  fr: 'Bonjour ! Voici ma voix quand je vous lis quelque chose.',
  hi: 'नमस्ते! मेरी आवाज़ ऐसी है।',
  it: 'Ciao! Questa è la mia voce quando ti leggo qualcosa.',
  ja: 'こんにちは。これがわたしの声です。',
  ko: '안녕하세요! 제 목소리는 이렇습니다.',
  nl: 'Hallo! Zo klinkt mijn stem als ik je iets voorlees.',
  pl: 'Cześć! Tak brzmi mój głos, kiedy coś czytam.',
  pt: 'Olá! É assim que soa a minha voz quando leio algo.',
  ru: 'Привет! Так звучит мой голос.',
  sv: 'Hej! Så här låter min röst när jag läser något för dig.',
  tr: 'Merhaba! Sesim böyle geliyor.',
  uk: 'Привіт! Так звучить мій голос.',
  zh: '你好！这就是我的声音。',
}

/** For other languages: voices of all languages can read digits. */
const digits = '1, 2, 3, 4, 5, 6, 7.'

/** Returns the text of a preview in the language of a BCP 47 tag. */
export const previewText = (tag: string): string => sentences[tag.toLowerCase().split('-')[0]!] ?? digits
