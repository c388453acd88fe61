import { fitsPage } from '@parlance/store'

/** What the texts of one answer may come to, in bytes: with all that goes by their side they fit into a message of the bus. */
const maxAnswerBytes = 320 * 1024
const bytesBesideText = 1024

/** Whether a row still fits into the answer, with `bytes` of text in it. The window `page` has the order of the rows. */
export const fitsAnswer = (bytes: string): string =>
  `${fitsPage({ bytes, beside: bytesBesideText, most: maxAnswerBytes })} as fits`

/** Whether a row was read as one that fits. */
export const didFit = ({ fits }: { fits: boolean }): boolean => fits
