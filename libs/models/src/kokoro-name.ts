/** The parts of the name of a Kokoro voice: `bf_emma` is a British woman. */
export interface KokoroName {
  readonly name: string
  readonly gender: 'female' | 'male'
  /** A BCP 47 tag; undefined for an unknown letter. */
  readonly language: string | undefined
}

const kokoroLanguages: Readonly<Record<string, string>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt-BR',
  z: 'zh',
}

/** Returns undefined for a name of another kind. */
export const readKokoroName = (id: string): KokoroName | undefined => {
  const match = /^([a-z])([fm])_(\w+)$/.exec(id)
  if (match === null) return undefined
  const [, language, gender, name] = match
  return { name: name!, gender: gender === 'f' ? 'female' : 'male', language: kokoroLanguages[language!] }
}
