/** Words of what was said that were understood. Recognisers are not perfect; that they heard nothing is another thing. */
export const shareUnderstood = (said: string, heard: string): number => {
  const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []
  const understood = new Set(words(heard))
  return words(said).filter((word) => understood.has(word)).length / words(said).length
}
