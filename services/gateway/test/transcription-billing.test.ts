import { ServiceError } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { keyId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { type FormFields, sendForm, whisper } from './transcription-form.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

const send = (fields: FormFields, options: Parameters<typeof sendForm>[2] = {}) => sendForm(gateway, fields, options)

describe('a bill', () => {
  const perSecondNano = 100_000n
  const settled = async () => {
    await gateway.allBilled()
    expect(gateway.reserver.holds).toHaveLength(1)
    return gateway.reserver.holds[0]!
  }

  test('counts each second that has begun, with or without speech', async () => {
    const response = await send(whisper)
    expect(response.headers.get('x-seconds-billed')).toBe('3725')
    await response.text()
    const { amountNano, endings } = await settled()
    expect(amountNano).toBe(3_725n * perSecondNano)
    const quantities = { stt_seconds: 3_725 }
    const expected = { kind: 'stt', key_id: keyId, agent_id: null, quantities }
    expect(endings).toEqual([{ chargeNano: 3_725n * perSecondNano, usage: expected }])
  })

  test('is nothing for a transcription that fails before the response', async () => {
    Object.assign(gateway.transcription, { failure: new ServiceError('upstream_error', 'It broke.'), failsAfter: 1 })
    await expectError(await send(whisper), 'upstream_error')
    expect((await settled()).endings).toEqual(['released'])
  })

  test('is for the sent segments when a stream fails', async () => {
    Object.assign(gateway.transcription, { failure: new ServiceError('upstream_error', 'It broke.'), failsAfter: 1 })
    await (await send([...whisper, ['stream', 'true']])).text()
    expect((await settled()).endings).toEqual([
      { chargeNano: 2n * perSecondNano, usage: expect.objectContaining({ quantities: { stt_seconds: 2 } }) },
    ])
  })

  test.each([
    ['before the response', []],
    ['during a stream', [['stream', 'true'] as const]],
  ] as const)('is for the decoded audio when the client hangs up %s', async (_when, fields) => {
    let onSecond = () => {}
    const second = new Promise<void>((resolve) => {
      onSecond = resolve
    })
    gateway.transcription.beforeSegment = (index) => {
      if (index === 0) return Promise.resolve()
      onSecond()
      return new Promise(() => {})
    }
    const ending = new Promise((resolve) => {
      gateway.transcription.onEnding = resolve
    })
    const client = new AbortController()
    const answer = send([...whisper, ...fields], { signal: client.signal })
    if (fields.length > 0) {
      const reader = (await answer).body!.getReader()
      await reader.read()
    }
    await second
    client.abort()
    await answer.catch(() => undefined)
    expect((await settled()).endings).toEqual([{ chargeNano: 3_725n * perSecondNano, usage: expect.anything() }])
    expect(await ending).toBe('left')
  })

  test('is for the decoded audio of a file that is refused partway', async () => {
    const failure = new ServiceError('payload_too_large', 'file: The audio is too long.')
    Object.assign(gateway.transcription, { decodingMs: 120_000, failure, failsAfter: 0 })
    await expectError(await send(whisper), 'payload_too_large')
    const { endings } = await settled()
    expect(endings).toEqual([{ chargeNano: 120n * perSecondNano, usage: expect.anything() }])
  })

  test('is for the decoded audio, and closed, when the client hangs up while its credit is being reserved', async () => {
    let reserve = () => {}
    const asked = new Promise<void>((resolve) => {
      gateway.reserver.beforeReserving = () => {
        resolve()
        return new Promise((go) => {
          reserve = go
        })
      }
    })
    const ending = new Promise((resolve) => {
      gateway.transcription.onEnding = resolve
    })
    const client = new AbortController()
    const answer = send(whisper, { signal: client.signal })
    await asked
    client.abort()
    await answer.catch(() => undefined)
    expect(await ending).toBe('left')
    reserve()
    expect((await settled()).endings).toEqual([{ chargeNano: 3_725n * perSecondNano, usage: expect.anything() }])
  })

  test('is refused when the audio costs more than the remaining credit', async () => {
    gateway.reserver.refuseWith = 'insufficient_credit'
    await expectError(await send(whisper), 'insufficient_credit')
    expect(gateway.reserver.holds).toEqual([])
  })
})
