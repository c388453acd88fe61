import { RemoteFailure } from './remote-failure.js'

/** Node reads Base64 leniently and passes over what is none of it; half a group would be lost samples without a word. */
export const bytesOfBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length !== (text.length / 4) * 3 - padding) {
    throw new RemoteFailure('broken', 'audio that is not Base64')
  }
  return bytes
}
