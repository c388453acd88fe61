/** Rounds a time in ms to a tenth of a ms, which is finer than any engine means it. */
export const roundToTenth = (ms: number): number => Math.round(ms * 10) / 10
