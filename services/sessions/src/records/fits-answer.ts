import { fitsPage } from '@parlance/store'

/** The bytes of text in one answer. With the fields beside the text, the answer fits into one message of the bus. */
const maxAnswerBytes = 320 * 1024
const overheadBytes = 1024

/** Whether a row still fits into the answer, with `bytes` of text in it. The window `page` has the order of the rows. */
export const fitsAnswer = (bytes: string): string =>
  `${fitsPage({ bytes, overheadBytes, maxBytes: maxAnswerBytes })} as fits`

/** Whether a row was read as one that fits. */
export const didFit = ({ fits }: { fits: boolean }): boolean => fits
