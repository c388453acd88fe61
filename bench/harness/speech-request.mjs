import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

/**
 * One `POST /v1/tts` whose audio is discarded as it arrives. Resolves to `{ status, firstMs, doneMs, retryAfter }`, ms since
 * `askedAtMs`; `firstMs` is the time of the first audio, or of a response without audio. Rejects when the response breaks off.
 */
export const requestSpeech = ({ url, authorization, body, askedAtMs = performance.now() }) =>
  new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(`${url}/v1/tts`, { method: 'POST', headers, agent }, (response) => {
      let firstMs
      response.on('data', () => {
        firstMs ??= performance.now() - askedAtMs
      })
      response.once('end', () => {
        const { statusCode: status, headers: answered } = response
        resolve({ status, firstMs, doneMs: performance.now() - askedAtMs, retryAfter: answered['retry-after'] })
      })
      response.once('error', reject)
    })
    asked.once('error', reject)
    asked.end(body)
  })
