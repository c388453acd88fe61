/** The content of `tokens.txt`: a line for each phoneme and its number. A line break cannot be a phoneme there. */
export const piperTokens = (phonemeIds: ReadonlyMap<string, number>): string =>
  [...phonemeIds].flatMap(([symbol, id]) => (/[\r\n]/.test(symbol) ? [] : [`${symbol} ${id}\n`])).join('')
