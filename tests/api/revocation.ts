import { errorBodySchema } from '@parlance/contracts'
import { newKey, onPlatform } from '../platforms.js'

/** Cuts the bus off for a moment: the suites after it must call clients that wait. */
export const revocation = onPlatform('a key', (platform) => {
  /** The status that each gateway replica answers. */
  const statuses = (authorization: string) =>
    Promise.all(
      platform().urls.map(async (url) => {
        const response = await fetch(`${url}/v1/voices`, { headers: { authorization } })
        const body = await response.json()
        return response.ok ? 200 : errorBodySchema.parse(body).code
      }),
    )
  const everywhere = (answer: number | string) => platform().urls.map(() => answer)

  test('is refused by every gateway from the moment the revoke call has returned', async () => {
    for (let round = 0; round < 20; round++) {
      const { key, workspace, authorization } = await newKey(platform())
      expect(await statuses(authorization)).toEqual(everywhere(200))
      // Requests that were already under way may still be answered; those sent afterwards may not.
      const underWay = Promise.all(Array.from({ length: 5 }, () => statuses(authorization)))
      await platform().auth.revokeKey({ workspace_id: workspace.id, key_id: key.id })
      expect(await statuses(authorization)).toEqual(everywhere('unauthorized'))
      await underWay
      expect(await statuses(authorization)).toEqual(everywhere('unauthorized'))
    }
  })

  test('of a suspended workspace, or without the capability, is refused from the next request on', async () => {
    const { workspace, authorization } = await newKey(platform())
    const speak = async () => {
      const response = await fetch(`${platform().urls[0]}/v1/tts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"text":"","voice_id":""}',
      })
      return errorBodySchema.parse(await response.json()).code
    }
    expect(await speak()).toBe('invalid_request')
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, capabilities: ['agents'] })
    expect(await speak()).toBe('capability_disabled')
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: true })
    expect(await speak()).toBe('organization_suspended')
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: false, capabilities: ['tts'] })
    expect(await speak()).toBe('invalid_request')
  })

  test('shows when it was last used', async () => {
    const { key, workspace, authorization } = await newKey(platform())
    const before = new Date(Date.now() - 1_000).toISOString()
    await statuses(authorization)
    const deadline = performance.now() + 60_000
    for (;;) {
      const { keys } = await platform().auth.listKeys({ workspace_id: workspace.id })
      const used = keys.find(({ id }) => id === key.id)?.last_used_at
      if (used) {
        expect(used >= before).toBe(true)
        return
      }
      expect(performance.now()).toBeLessThan(deadline)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })

  test('stays refused while the bus is cut off', async () => {
    const { key, workspace, authorization } = await newKey(platform())
    expect(await statuses(authorization)).toEqual(everywhere(200))
    await platform().auth.revokeKey({ workspace_id: workspace.id, key_id: key.id })
    await platform().servers?.nats.pause()
    try {
      expect(await statuses(authorization)).toEqual(everywhere('unauthorized'))
    } finally {
      platform().servers?.nats.resume()
    }
  })
})
