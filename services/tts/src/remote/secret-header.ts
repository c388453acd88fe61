import type { SecretReference } from '@parlance/runtime'
import type { EngineContext } from '../engine/engine.js'

/**
 * A secret that can be sent in a header. Throws, without a word of the secret, when it cannot: a line's end of a file that
 * was edited by hand is no part of it, but anything else that is not printable is a mistake.
 */
export const secretForHeader = (reference: SecretReference, readSecret: EngineContext['readSecret']): string => {
  const secret = readSecret(reference).trim()
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    const where = 'env' in reference ? reference.env : reference.file
    throw new Error(`the secret in ${where} is empty or holds characters that no key has`)
  }
  return secret
}
