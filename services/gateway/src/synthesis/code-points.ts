import { maxTextCodePoints, ServiceError } from '@parlance/contracts'

/** A code point outside the basic plane is two units of a string. */
export const countCodePoints = (text: string): number => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count -= 1
  }
  return count
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Comes before every other look at a body: a text that is too long is told as that, whatever else is wrong. */
export const refuseLongText = (body: unknown, field: 'text' | 'input'): void => {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  if (typeof text !== 'string' || text.length <= maxTextCodePoints) return
  if (text.length > 2 * maxTextCodePoints || countCodePoints(text) > maxTextCodePoints) {
    throw new ServiceError('text_too_long', `${field}: at most ${maxTextCodePoints} characters can be spoken at once.`)
  }
}
