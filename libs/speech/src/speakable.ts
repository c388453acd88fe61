/** Signs that an engine has a name for. Other punctuation makes a pause at most. */
const speakable = /[\p{L}\p{N}\p{Sc}\p{So}+=<>±×÷#%&@§‰]/u

/** Whether there is anything in the text to say. A guess on the safe side: an engine may still find nothing. */
export const isSpeakable = (text: string): boolean => speakable.test(text)
