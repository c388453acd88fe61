import { RemoteFailure } from './remote-failure.js'

/**
 * Decodes Base64 strictly: Node ignores invalid characters and incomplete groups, which would be lost samples. Throws
 * `RemoteFailure`.
 */
export const bytesOfBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length !== (text.length / 4) * 3 - padding) {
    throw new RemoteFailure('broken', 'audio that is not Base64')
  }
  return bytes
}
