import type { Handlers } from '@parlance/bus'
import type { ErrorCode, tokensContract } from '@parlance/contracts'
import { agentId } from './fake-agents.js'

const inAWhile = '2026-01-31T09:45:00.000Z'
const grant = { workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', key_id: '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' }

/** A session token that reads `awst_<code>` is refused with that code. What was asked is in `requests`, by method. */
export const createFakeTokens = () => {
  const requests: Partial<Record<keyof typeof tokensContract.methods, unknown>> = {}
  const check = ({ token }: { token: string }, fail: (code: never, detail: string) => never) => {
    const code = token.replace('awst_', '') as ErrorCode
    if (code !== ('good' as string)) fail(code as never, `It is ${code}.`)
    return { ...grant, agent_id: agentId, end_user_id: null, expires_at: inAWhile }
  }
  const handlers: Handlers<typeof tokensContract> = {
    mintSessionToken(request) {
      requests.mintSessionToken = request
      return {
        ...{ token: 'awst_minted', expires_at: inAWhile, agent_id: request.agent_id },
        capabilities: { managed_voice_agent: true, transport: 'webrtc' },
      }
    },
    checkSessionToken(request, { fail }) {
      requests.checkSessionToken = request
      return check(request, fail)
    },
    consumeSessionToken: (request, { fail }) => check(request, fail),
    mintStreamToken(request) {
      requests.mintStreamToken = request
      return { token: 'awtt_minted', expires_at: inAWhile }
    },
    consumeStreamToken: (_request, { fail }) => fail('stream_token_invalid', 'It is not valid.'),
  }
  return { requests, handlers }
}
