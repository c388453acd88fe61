import { errorBodySchema, type Voice, voicePageSchema } from '@parlance/contracts'
import { checkDocumentedResponse } from '../services/gateway/test/documented.js'
import { eventually } from './eventually.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the test states what the body contains
  readonly body: any
}

/** The API with the credentials of one key. Every response is checked against the OpenAPI document. */
export const createApi = (url: string, authorization: string) => {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData)
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined
        ? {}
        : { body: isJson && typeof body !== 'string' ? JSON.stringify(body) : (body as string | FormData) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const answersJson = response.headers.get('content-type')?.startsWith('application/json')
    const { status } = response
    const parsed = answersJson ? JSON.parse(bytes.toString()) : bytes
    checkDocumentedResponse({ method, path, status, contentType: response.headers.get('content-type'), body: parsed })
    return { status, headers: response.headers, body: parsed }
  }

  return {
    send,
    get: (path: string, headers?: Record<string, string>): Promise<Answer> => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
      send('POST', path, body, headers),
    patch: (path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
      send('PATCH', path, body, headers),
    delete: (path: string, headers?: Record<string, string>): Promise<Answer> =>
      send('DELETE', path, undefined, headers),
    /** The best voice for English, as soon as an engine offers one. */
    async voice(): Promise<Voice> {
      return eventually(async () => {
        const { status, body } = await send('GET', '/v1/voices?language=en')
        // No engine has announced its voices yet.
        if (status === 503) return undefined
        return voicePageSchema.parse(body).voices[0]
      })
    },
  }
}
export type Api = ReturnType<typeof createApi>

export const expectError = ({ status, body }: Answer, expectedStatus: number, code: string): void => {
  expect(errorBodySchema.parse(body)).toMatchObject({ code })
  expect(status).toBe(expectedStatus)
}

/** Fails with the whole answer where the token was refused. */
export const tokenOf = ({ status, body }: Answer): string => {
  expect({ status, body }).toMatchObject({ status: 201, body: { token: expect.any(String) } })
  return body.token
}
