/** The share of the spoken words that are in the transcript. Recognizers make mistakes, so tests ask for a part of the words. */
export const shareRecognized = (spoken: string, transcript: string): number => {
  const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []
  const recognized = new Set(words(transcript))
  return words(spoken).filter((word) => recognized.has(word)).length / words(spoken).length
}
