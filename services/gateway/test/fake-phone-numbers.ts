import { generateKeyPairSync } from 'node:crypto'
import { type OpenedPhoneNumber, type PhoneProvider, phoneNumbersContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'
import { agentId } from './fake-agents.js'

/** Telnyx signs with the private key. */
export const telnyxKeys = generateKeyPairSync('ed25519')
const publicKeyOf = ({ publicKey }: typeof telnyxKeys): string =>
  Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

const opened = (id: string, account_sid: string): OpenedPhoneNumber => ({
  id: `4c0c1d52-2f7a-4f0e-9f4e-${id}`,
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  number: '+4930123456',
  agent_id: agentId,
  account_sid,
  auth_token: 'the-auth-token-of-the-account',
})

export const openedNumbers: Readonly<Record<PhoneProvider, OpenedPhoneNumber>> = {
  twilio: opened('3a8f2f8a1b7d', `AC${'0'.repeat(32)}`),
  telnyx: opened('3a8f2f8a1b7e', publicKeyOf(telnyxKeys)),
  plivo: opened('3a8f2f8a1b7f', `MA${'0'.repeat(18)}`),
}

const { workspace_id: _, auth_token: _token, ...listed } = openedNumbers.twilio
const number = { ...listed, provider: 'twilio', created_at: '2026-01-31T09:30:00.000Z' } as const

/** A workspace with one number of each network. Another workspace has entered them too, with other credentials. */
export const createFakePhoneNumbers = () => ({
  handlers: fakeHandlers(phoneNumbersContract, {
    listNumbers: () => ({ numbers: [number] }),
    addNumber: () => number,
    deleteNumber: () => ({}),
    openNumbers: (request) => {
      const entry = openedNumbers[request.provider]
      const of = request.provider === 'telnyx' ? publicKeyOf(generateKeyPairSync('ed25519')) : entry.account_sid
      const other = { workspace_id: entry.id, account_sid: of, auth_token: 'a-token-of-somebody-else' }
      return { numbers: request.number === entry.number ? [{ ...entry, ...other }, entry] : [] }
    },
    openNumber: ({ number_id }) => Object.values(openedNumbers).find(({ id }) => id === number_id)!,
  }),
})
