import type { SecretReference } from '@parlance/runtime'
import type { EngineContext } from '../engine/engine.js'

/**
 * Reads a secret that is sent in a header. White space around it is removed. Throws when it is empty or contains characters that
 * are not printable; the message does not contain the secret.
 */
export const secretForHeader = (reference: SecretReference, readSecret: EngineContext['readSecret']): string => {
  const secret = readSecret(reference).trim()
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    const where = 'env' in reference ? reference.env : reference.file
    throw new Error(`the secret in ${where} is empty or contains characters that a key cannot have`)
  }
  return secret
}
