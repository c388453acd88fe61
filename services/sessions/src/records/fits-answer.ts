import { fitsPage } from '@parlance/store'

/** The maximum bytes of text in one reply. With its other fields, the reply fits into one message of the bus. */
const maxAnswerBytes = 320 * 1024
const overheadBytes = 1024

/** An SQL column: whether a row with `bytes` of text still fits into the reply. The window `page` has the order of the rows. */
export const fitsAnswer = (bytes: string): string =>
  `${fitsPage({ bytes, overheadBytes, maxBytes: maxAnswerBytes })} as fits`

/** Whether a row fitted into the reply. */
export const didFit = ({ fits }: { fits: boolean }): boolean => fits
