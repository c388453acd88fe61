/** Texts that differ in case alone, or in how their accents are put together, become the same. */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase()
