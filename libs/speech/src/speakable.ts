/** Signs that engines speak by name. Other punctuation makes a pause at most. */
const speakable = /[\p{L}\p{N}\p{Sc}\p{So}+=<>±×÷#%&@§‰]/u

/**
 * Whether the text contains anything speakable. When in doubt this is true: an engine may still find nothing to speak. Engines
 * import this file, so it imports no contracts, which would take 6 MB of each of their processes.
 */
export const isSpeakable = (text: string): boolean => speakable.test(text)
