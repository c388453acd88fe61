import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'

const maxRedirects = 10
/** How long a server may be silent. */
const silenceMs = 60_000
/** How long a connection may take, with the look-up of the name, so that a missing network is reported at once. */
const connectMs = 1200

/** Reaches the network through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if any. */
const agentFor = (url: URL): Pick<RequestOptions, 'agent'> => {
  const proxy = getProxyForUrl(url.href)
  if (proxy === '') return {}
  return { agent: url.protocol === 'https:' ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy) }
}

const requestOnce = (url: URL, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(url, { ...options, ...agentFor(url) }, resolve)
    sent.on('error', reject)
    sent.setTimeout(silenceMs, () => sent.destroy(new Error(`nothing was received for ${silenceMs / 1000} s`)))
    // With a proxy the socket is ready when the proxy has reached the server, which may take longer.
    sent.once('socket', (socket) => {
      if (!socket.connecting) return
      const tooLong = () =>
        sent.destroy(Object.assign(new Error('the connection could not be opened'), { code: 'ETIMEDOUT' }))
      const timer = setTimeout(tooLong, connectMs)
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer))
    })
    sent.end()
  })

const isRedirect = (status: number | undefined) => status !== undefined && [301, 302, 303, 307, 308].includes(status)

/**
 * Sends a GET request and follows redirects. The body of the response must be read or destroyed. Rejects with the
 * network's error.
 */
export const httpGet = async (
  address: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<IncomingMessage> => {
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const answer = await requestOnce(url, { headers, ...(signal === undefined ? {} : { signal }) })
    const { location } = answer.headers
    if (!isRedirect(answer.statusCode) || location === undefined) return answer
    answer.destroy()
    if (redirects === maxRedirects) throw new Error(`more than ${maxRedirects} redirects`)
    url = new URL(location, url)
  }
}
