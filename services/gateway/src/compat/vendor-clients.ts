/** How a client of a vendor's WebSocket is identified. */
import type { IncomingMessage } from 'node:http'
import type { CallContext, Client } from '@parlance/bus'
import { type catalogContract, ServiceError, type StreamGrant } from '@parlance/contracts'
import type { LimitRate } from '../authentication/rate-limiter.js'
import { type AuthenticateKey, createIdentifyKey } from '../authentication/require-key.js'
import type { SpeechStreamsOptions } from '../stream/speech-streams.js'
import type { StreamAdmission, StreamPayer } from '../stream/stream-admission.js'
import type { IdentifiedClient } from '../stream/stream-upgrade.js'

export interface VendorClientsOptions<Grant extends StreamPayer> {
  readonly authenticate: AuthenticateKey
  readonly limitStrangers: LimitRate
  readonly admission: StreamAdmission<Grant>
}

/** What the WebSockets of speech of vendors need. */
export interface VendorSpeechOptions
  extends SpeechStreamsOptions,
    Omit<VendorClientsOptions<StreamGrant>, 'admission'> {}

/** The parameters in which the vendors' browser clients send a token for one use. */
export const tokenParameters: readonly string[] = ['token', 'access_token', 'single_use_token']

/**
 * Identifies a client by the workspace's key in the vendor's header, or, since a browser cannot set headers, by a token in the query.
 * A key in the query is read as a token, and therefore refused.
 */
export const createIdentify = <Grant extends StreamPayer>(options: VendorClientsOptions<Grant>) => {
  const identifyKey = createIdentifyKey(options)
  return async (req: IncomingMessage, query: URLSearchParams, requestId: string): Promise<IdentifiedClient<Grant>> => {
    const token = tokenParameters.map((name) => query.get(name)).find((value) => value !== null)
    if (token != null) return { token, grant: await options.admission.check(token, requestId) }
    const { workspace_id, key_id } = await identifyKey(req, { requestId })
    const grant: StreamGrant = { workspace_id, key_id, voice_id: null, max_characters: null, expires_at: '' }
    return { token: undefined, grant: grant as StreamPayer as Grant }
  }
}

type FindVoices = Client<typeof catalogContract>['listVoices']

/** The best voice of the language, or else of any. Rejects with `voice_not_found`. */
export const defaultVoice = async (
  findVoices: FindVoices,
  language: string | null,
  context: CallContext,
): Promise<string> => {
  const first = async (of: { language?: string }) => (await findVoices({ ...of, limit: 1 }, { context })).voices[0]?.id
  const id = (language === null ? undefined : await first({ language })) ?? (await first({}))
  if (id === undefined) throw new ServiceError('voice_not_found', 'There is no voice here.')
  return id
}

export interface VendorVoiceOptions extends VendorSpeechOptions {
  readonly catalog: { readonly listVoices: FindVoices }
}

/** As `createIdentify`. A client whose address names no voice of ours may use the default one alone. */
export const createIdentifyWithVoice = (
  options: VendorVoiceOptions,
  wishOf: (query: URLSearchParams) => { readonly voice: string | null; readonly language: string | null },
) => {
  const identify = createIdentify(options)
  return async (req: IncomingMessage, query: URLSearchParams, requestId: string) => {
    const identified = await identify(req, query, requestId)
    const { voice, language } = wishOf(query)
    if (voice !== null || identified.grant.voice_id !== null) return identified
    const voice_id = await defaultVoice(options.catalog.listVoices, language, { requestId })
    return { ...identified, grant: { ...identified.grant, voice_id } }
  }
}
