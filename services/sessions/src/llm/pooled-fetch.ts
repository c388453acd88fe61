import { Agent, type RequestInit, fetch as undiciFetch } from 'undici'

const connectTimeoutMs = 5_000
/** Longer than people pause between two turns: the next reply then needs no new TLS handshake. */
const keepAliveMs = 120_000
/** Hours of speech, at some 250 bytes a token; what is longer does not end. */
const maxResponseBytes = 8 * 1024 * 1024

/**
 * `fetch` over connections that are kept. A redirect is never followed: what we send carries a key, and where it may go is
 * written in the configuration. Compression is not asked for, as it would hold words back.
 */
export const createPooledFetch = (): typeof globalThis.fetch => {
  const dispatcher = new Agent({
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    maxResponseSize: maxResponseBytes,
    // How long a server may take is measured in words, by whoever waits for them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const pooledFetch = (url: string | URL, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string>), 'accept-encoding': 'identity' }
    return undiciFetch(url, { ...init, headers, redirect: 'manual', dispatcher })
  }
  return pooledFetch as unknown as typeof globalThis.fetch
}
