import { type ErrorCode, type StreamGrant, tokensContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'
import { agentId } from './fake-agents.js'

const inAWhile = '2026-01-31T09:45:00.000Z'
const grant = { workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', key_id: '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' }

/** Stream tokens by their outcome. */
const streamGrants: Record<string, StreamGrant> = {
  awtt_minted: { ...grant, voice_id: null, max_characters: null, expires_at: inAWhile },
  awtt_any: { ...grant, voice_id: null, max_characters: null, expires_at: inAWhile },
  awtt_short: { ...grant, voice_id: null, max_characters: 10, expires_at: inAWhile },
  awtt_ada: { ...grant, voice_id: '9f2c4c1e0b7d4a3f8e6d5c4b3a291807', max_characters: null, expires_at: inAWhile },
}

type Fail = (code: 'stream_token_invalid', detail: string) => never
const listenGrant = (token: string, valid: readonly string[], fail: Fail) =>
  valid.includes(token) ? { ...grant, expires_at: inAWhile } : fail('stream_token_invalid', 'It is not valid.')

const minted = ({ agent_id }: { agent_id: string }) => ({
  token: 'awst_minted',
  expires_at: inAWhile,
  agent_id,
  capabilities: { managed_voice_agent: true, transport: 'webrtc' },
})

/** A session token that reads `awst_<code>` is refused with that code. Requests are in `requests`, by method. */
export const createFakeTokens = () => {
  const requests: Partial<Record<keyof typeof tokensContract.methods, unknown>> = {}
  const check = ({ token }: { token: string }, fail: (code: never, detail: string) => never) => {
    const code = token.replace('awst_', '') as ErrorCode
    const isDraft = token === 'awst_draft'
    if (!['good', 'minted'].includes(code) && !isDraft) fail(code as never, `It is ${code}.`)
    return {
      ...{ ...grant, agent_id: agentId, end_user_id: null, expires_at: inAWhile },
      ...(isDraft && { draft: true as const }),
    }
  }
  const handlers = fakeHandlers(tokensContract, {
    mintSessionToken(request) {
      requests.mintSessionToken = request
      return minted(request)
    },
    mintDraftSessionToken(request) {
      requests.mintDraftSessionToken = request
      return minted(request)
    },
    checkSessionToken(request, { fail }) {
      requests.checkSessionToken = request
      return check(request, fail)
    },
    readSessionToken(request, { fail }) {
      requests.readSessionToken = request
      return check(request, fail)
    },
    mintStreamToken(request) {
      requests.mintStreamToken = request
      return { token: 'awtt_minted', expires_at: inAWhile }
    },
    mintListenToken(request) {
      requests.mintListenToken = request
      return { token: 'awlt_minted', expires_at: inAWhile }
    },
    checkListenToken: ({ token }, { fail }) => listenGrant(token, ['awlt_any', 'awlt_used', 'awlt_minted'], fail),
    consumeListenToken: ({ token }, { fail }) => listenGrant(token, ['awlt_any', 'awlt_minted'], fail),
    checkStreamToken({ token }, { fail }) {
      const streamGrant = streamGrants[token]
      return (
        streamGrant ??
        fail(token === 'awtt_down' ? ('unavailable' as never) : 'stream_token_invalid', 'It is not valid.')
      )
    },
    consumeStreamToken({ token }, { fail }) {
      const streamGrant = streamGrants[token]
      return (
        streamGrant ??
        fail(token === 'awtt_down' ? ('unavailable' as never) : 'stream_token_invalid', 'It is not valid.')
      )
    },
  })
  return { requests, handlers }
}
