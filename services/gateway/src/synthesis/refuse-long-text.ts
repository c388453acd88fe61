import { maxTextCodePoints, ServiceError } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'

/**
 * Throws `text_too_long`. Called before the body is validated, so that a long text is refused with this code even if the body
 * has other errors.
 */
export const refuseLongText = (body: unknown, field: 'text' | 'input'): void => {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  if (typeof text !== 'string' || text.length <= maxTextCodePoints) return
  if (text.length > 2 * maxTextCodePoints || countCodePoints(text) > maxTextCodePoints) {
    throw new ServiceError('text_too_long', `${field}: at most ${maxTextCodePoints} characters can be spoken at once.`)
  }
}
