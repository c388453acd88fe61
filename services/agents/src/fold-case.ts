/** Texts that differ only in case, or in the composition of accents, become equal. */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase()
