/** Servers that answer as SearXNG and Brave do, by what they have published of their protocols. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson, startLocalServer } from '../local-server.js'

export interface Found {
  readonly title: string
  readonly url: string
  readonly text: string
}

/** What a server does in place of finding something. */
export type Mood = 'well' | 'busy' | 'failing' | 'html' | 'empty' | 'other' | 'hanging up' | 'silent' | 'endless'

const searxng = (found: readonly Found[], { query }: { query: URLSearchParams }, response: ServerResponse) => {
  if (query.get('format') !== 'json') return response.writeHead(403).end()
  const results = found.map(({ title, url, text }, at) => ({
    title,
    url,
    content: text,
    engine: 'wikipedia',
    engines: ['wikipedia'],
    category: 'general',
    score: 1 / (at + 1),
    positions: [at + 1],
    parsed_url: ['https', '', '', '', '', ''],
    template: 'default.html',
  }))
  return sendJson(response, 200, {
    query: query.get('q'),
    number_of_results: 0,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  })
}

const brave = (
  found: readonly Found[],
  { query, headers }: { query: URLSearchParams; headers: IncomingMessage['headers'] },
  response: ServerResponse,
) => {
  if (headers['x-subscription-token'] !== 'a-key') {
    const error = { status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID' }
    return sendJson(response, 422, { type: 'ErrorResponse', error })
  }
  const results = found.slice(0, Number(query.get('count'))).map(({ title, url, text }) => ({
    title,
    url,
    description: text,
    type: 'search_result',
    subtype: 'generic',
    language: 'en',
    family_friendly: true,
    is_source_local: false,
    is_source_both: false,
    meta_url: { scheme: 'https' },
  }))
  const web = results.length === 0 ? {} : { web: { type: 'search', results, family_friendly: true } }
  return sendJson(response, 200, { type: 'search', query: { original: query.get('q') }, ...web })
}

const protocols = { searxng, brave }

export const startSearchStandIn = async (protocol: keyof typeof protocols) => {
  const server = { mood: 'well' as Mood, found: [] as Found[], queries: [] as URLSearchParams[] }
  const { url, close } = await startLocalServer((request, response) => {
    const { searchParams: query, pathname } = new URL(request.url ?? '', 'http://stand-in')
    server.queries.push(query)
    if (pathname !== (protocol === 'searxng' ? '/search' : '/web/search')) return response.writeHead(404).end()
    const { mood } = server
    if (mood === 'well') return protocols[protocol](server.found, { query, headers: request.headers }, response)
    if (mood === 'busy') return response.writeHead(429, { 'content-type': 'text/html' }).end('Too Many Requests')
    if (mood === 'failing') return response.writeHead(500).end('{"results":[]}')
    if (mood === 'html')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Are you human?</html>')
    if (mood === 'empty') return response.writeHead(200).end()
    if (mood === 'other') return sendJson(response, 200, { results: 'none', web: 'none' })
    if (mood === 'hanging up') return request.socket.destroy()
    if (mood === 'endless') return response.writeHead(200).end('x'.repeat(3 * 1024 * 1024))
    return undefined
  })
  return { server: Object.assign(server, { url }), close }
}
