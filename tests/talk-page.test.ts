import type { Voice } from '@parlance/contracts'
import { describeTalkPage, greeting } from './talk-page.js'

describeTalkPage('the page that /talk leads to', 'silent', ({ open }) => {
  test('records while the Space key is held, and the key never presses the focused button', async () => {
    const { ask, hangUp, page } = await open()
    await page.selectOption('#mode', 'push-to-talk')
    await page.focus('#start')
    await page.keyboard.press('Enter')
    // The key is pressed while the button that hangs up has the focus.
    await page.waitForSelector('#hang-up:focus')
    await page.keyboard.press('Space')
    await page.waitForSelector('#conversation[data-state=live]')
    const sent = () =>
      ask<string[]>('observed.sent.map(({ event }) => event).filter((event) => event.startsWith("ptt."))')
    for (const focused of ['#hold', '#hang-up', '#interrupt']) {
      const before = (await sent()).length
      await page.focus(focused)
      await page.keyboard.down('Space')
      await page.waitForSelector('#hold[data-held]')
      await page.keyboard.up('Space')
      await page.waitForSelector('#hold:not([data-held])')
      expect((await sent()).slice(before)).toEqual(['ptt.start', 'ptt.commit'])
    }
    expect(await ask<string[]>('observed.sent.map(({ event }) => event)')).not.toContain('interrupt')
    await page.fill('[aria-label=Message]', 'a')
    await page.press('[aria-label=Message]', 'Space')
    expect(await page.inputValue('[aria-label=Message]')).toBe('a ')
    expect(await page.getAttribute('#conversation', 'data-state')).toBe('live')
    await hangUp()
  })

  test('ends push-to-talk when the key is released in another window', async () => {
    const { ask, hangUp, page, start } = await open()
    await start('push-to-talk')
    await page.keyboard.down('Space')
    await page.waitForSelector('#hold[data-held]')
    await ask('dispatchEvent(new Event("blur"))')
    expect(await page.locator('#hold[data-held]').count()).toBe(0)
    await hangUp()
  })

  test.each([
    ['NotAllowedError', /^The microphone is blocked\. Allow it/],
    ['NotFoundError', /^No microphone was found\. Connect one/],
    ['NotReadableError', /^The microphone cannot be used now\. Close other programs/],
  ])(
    'explains beside the button why the microphone failed with %s, and a conversation by text can start',
    async (name, detail) => {
      const { box, hangUp, isOnScreen, page, refuseMicrophone, start, text } = await open()
      await refuseMicrophone(name)
      await page.setViewportSize({ width: 1366, height: 650 })
      await page.reload()
      await page.waitForSelector('#start:enabled')
      await page.click('#start')
      await page.waitForSelector('#problem')
      expect(await text('#problem')).toMatch(detail)
      expect(await text('#problem')).toContain('“Type only”')
      const [button, problem] = [await box('#start'), await box('#problem')]
      expect(problem.y - (button.y + button.height)).toBeLessThan(24)
      expect(await isOnScreen('#problem')).toBe(true)
      expect(await isOnScreen('#start')).toBe(true)
      await start('text')
      expect(await page.isHidden('#problem')).toBe(true)
      await hangUp()
    },
  )

  test.each([
    [1366, 650],
    [390, 844],
  ])('at %d by %d shows the controls of each state without scrolling', async (width, height) => {
    const { ask, box, event, hangUp, isOnScreen, page, start } = await open()
    await page.setViewportSize({ width, height })
    for (const selector of ['#agent', '#mode', '#start', '[aria-label=Message]', '[aria-label=Send]']) {
      expect({ selector, isOnScreen: await isOnScreen(selector) }).toEqual({ selector, isOnScreen: true })
    }
    await start('push-to-talk')
    await event('transcript', { role: 'agent', final: true, text: greeting })
    for (const selector of [
      '#hang-up',
      '#hold',
      '#interrupt',
      '[aria-label=Message]',
      '[aria-label=Send]',
      '#transcript',
    ]) {
      expect({ selector, isOnScreen: await isOnScreen(selector) }).toEqual({ selector, isOnScreen: true })
    }
    const labels = ['#hang-up', '#hold', '#interrupt'].map((id) => `document.querySelector('${id}')`).join()
    expect(await ask<boolean>(`[${labels}].every((button) => button.scrollWidth <= button.clientWidth)`)).toBe(true)
    expect((await box('#transcript')).height).toBeGreaterThan(120)
    await hangUp()
  })

  test('creates a first Agent where there are none, and on a phone nothing is wider than the screen', async () => {
    const { api, ask, event, hangUp, page, start } = await open()
    const { body } = await api.get('/v1/agents')
    for (const { id } of body.agents) await api.delete(`/v1/agents/${id}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.click('#make-agent')
    await page.waitForSelector('#start:enabled')
    expect(await page.locator('#agent option').allTextContents()).toEqual(['First Agent'])
    const [agent] = (await api.get('/v1/agents')).body.agents
    const english = (await api.get('/v1/voices?language=en-US')).body.voices as Voice[]
    expect(english.map(({ id }) => id)).toContain(agent.voice_id)
    expect((await api.post(`/v1/agents/${agent.id}/publish?dry_run=true`)).body.warnings).toEqual([])
    await start('text')
    await page.fill('[aria-label=Message]', 'What is twelve plus thirty?')
    await page.press('[aria-label=Message]', 'Enter')
    await event('transcript', { role: 'agent', final: true, text: 'That is 42.' })
    expect(await ask<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await hangUp()
  })
})
