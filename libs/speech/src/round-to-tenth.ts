/** Rounds a time in ms to a tenth of a ms, which is finer than the precision of any engine. */
export const roundToTenth = (ms: number): number => Math.round(ms * 10) / 10
