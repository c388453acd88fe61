import { fileURLToPath } from 'node:url'
import type { AuditEntry } from '@parlance/contracts'
import type { Page } from 'playwright-core'
import { createApi } from './api.js'
import type { DashboardScene } from './dashboard-scene.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const observer = fileURLToPath(new URL('sound-observer.js', import.meta.url))

const sentence = 'This is a sentence that takes the Agent a few seconds to speak to its end, and then it goes on.'
const frameMs = 20
/** 20 ms of a tone, as a client sends it. */
const toneOf = (amplitude: number) =>
  Buffer.from(
    Int16Array.from({ length: 480 }, (_, at) => amplitude * Math.sin((2 * Math.PI * 400 * at) / 24_000)).buffer,
  )

/** Sends a tone that becomes louder and softer, in real time. */
const openTone = (send: (frame: Uint8Array) => void): { off(): void } => {
  let frames = 0
  const timer = setInterval(() => {
    frames += 1
    send(toneOf(frames % 100 < 50 ? 4_000 : 12_000))
  }, frameMs)
  return { off: () => clearInterval(timer) }
}

const isPlaying = (page: Page) => page.evaluate<boolean>('loudspeaker.peak() > 0.01')
const isSilent = (page: Page) => page.evaluate<boolean>('loudspeaker.peak() < 0.0001')
/** Resolves when the meter has shown two levels that are not 0. */
const meterMoves = async (page: Page, name: string) => {
  const bar = page.getByRole('img', { name }).locator('span > span')
  const seen = new Set<string>()
  await eventually(async () => {
    const width = await bar.evaluate((element) => (element as unknown as { style: { width: string } }).style.width)
    if (width !== '0%') seen.add(width)
    return seen.size > 1 || undefined
  })
}

/** Members who listen to live conversations. */
export const testListening = (scene: () => DashboardScene): void => {
  const newAgent = async (fields: object) => {
    const { platform, url, workspaceId } = scene()
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Listening' })
    const api = createApi(url, `Bearer ${key}`)
    const first_message = `${sentence} ${sentence} ${sentence} ${sentence}`
    const agentId = await publishAgent(api, { voice: await api.voice(), first_message, ...fields })
    return { api, agentId }
  }
  /** A page of an Admin who listens, with what reaches the loudspeaker. */
  const listenTo = async (sessionId: string) => {
    const page = await scene().openAs('admin')
    await page.addInitScript({ path: observer })
    await page.goto(`${scene().url}/conversations/${sessionId}`)
    await page.getByRole('button', { name: 'Listen' }).click()
    return page
  }
  /** Resolves when the audit log has so many entries that the Admin listened to this conversation. */
  const audited = async (page: Page, sessionId: string, count: number) => {
    const workspace = JSON.stringify({ 'x-parlance-workspace': scene().workspaceId })
    const read = `fetch('/dashboard/api/audit-log?action=conversation.listened', { headers: ${workspace} })`
    await eventually(async () => {
      const { entries } = await page.evaluate<{ entries: AuditEntry[] }>(`${read}.then((answer) => answer.json())`)
      const found = entries.filter(({ details }) => details.session_id === sessionId)
      expect(found.every(({ actor }) => actor.name === 'The admin')).toBe(true)
      return found.length === count || undefined
    })
    await page.goto(`${scene().url}/audit-log`)
    await page
      .getByRole('row', { name: /Listened to a live conversation.*The admin/ })
      .first()
      .waitFor()
  }

  test('an Admin listens to the Agent while a member talks in another browser, until the member hangs up', async () => {
    const { agentId } = await newAgent({ display_name: 'Long story' })
    const member = await scene().openAs('member', '/playground/talk')
    await member.getByLabel('Agent', { exact: true }).selectOption(agentId)
    await member.getByLabel('Input').selectOption('text')
    const started = member.waitForResponse((response) => response.url().endsWith(`/v1/agents/${agentId}/sessions`))
    await member.getByRole('button', { name: 'Start' }).click()
    const { session_id: sessionId } = (await (await started).json()) as { session_id: string }
    await member.waitForSelector('#conversation[data-state=live]')

    const page = await listenTo(sessionId)
    await page.getByText('The user is on the left, the Agent on the right.').waitFor()
    await eventually(async () => (await isPlaying(page)) || undefined)
    await meterMoves(page, 'Level of the Agent')
    expect(await allFaultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Mute' }).click()
    await eventually(async () => (await isSilent(page)) || undefined)
    await meterMoves(page, 'Level of the Agent')
    await page.getByRole('button', { name: 'Mute' }).click()
    await eventually(async () => (await isPlaying(page)) || undefined)

    await member.getByRole('button', { name: 'Hang up' }).click()
    await member.getByText(/You hung up/).waitFor()
    await page.getByText('The conversation has ended.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'Listening' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Listen' }).waitFor({ state: 'detached' })
    await audited(page, sessionId, 1)
  })

  test('an Admin listens to the user, stops and listens again, and a member has no button for it', async () => {
    const { api, agentId } = await newAgent({ display_name: 'Tone' })
    const { token } = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body
    const asked = { transport: 'websocket', input_mode: 'automatic' }
    const authorization = `Bearer ${token}`
    const { body } = await api.post(`/v1/agents/${agentId}/sessions`, asked, { authorization })
    const peer = await connectSession(body.websocket_url, token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    const tone = openTone(peer.sendAudio)
    void peer.closed.then(tone.off)

    const member = await scene().openAs('member', `/conversations/${body.session_id}`)
    await member.getByRole('button', { name: 'End', exact: true }).waitFor()
    expect(await member.getByRole('button', { name: 'Listen' }).count()).toBe(0)

    const page = await listenTo(body.session_id)
    await meterMoves(page, 'Level of the user')
    await page.getByRole('button', { name: 'Stop listening' }).click()
    await eventually(async () => (await isSilent(page)) || undefined)
    await page.getByRole('button', { name: 'Listen' }).click()
    await meterMoves(page, 'Level of the user')
    await eventually(async () => (await isPlaying(page)) || undefined)

    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('button', { name: 'End it' }).click()
    expect(await peer.event('session.ended', () => true)).toMatchObject({ reason: 'api_ended' })
    await page.getByText('The conversation has ended.').waitFor()
    await peer.closed
    await audited(page, body.session_id, 2)
  })
}
