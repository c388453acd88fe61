import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { webhookEventTypeSchema } from '@parlance/contracts'
import { createEgressClient, everyPlace } from '@parlance/egress'
import { freePort } from '@parlance/testing'
import { createSendEvent } from '../src/deliveries/send-event.js'
import { createSecret } from '../src/endpoints/secret-repository.js'

let text: string
beforeAll(async () => {
  text = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
})

describe('the receiver in the documentation', () => {
  const secret = createSecret()
  const client = createEgressClient({ allow: everyPlace })
  const send = createSendEvent({ client, timeoutMs: 5_000 })
  let receiver: ChildProcess
  let url: string

  beforeAll(async () => {
    const code = /```js\n(.*?)```/s.exec(text)![1]!
    const port = await freePort()
    url = `http://127.0.0.1:${port}/`
    receiver = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      )
    while (!(await answers())) {
      if (receiver.exitCode !== null) throw new Error('The receiver has ended.')
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })
  afterAll(async () => {
    const exited = once(receiver, 'exit')
    receiver.kill('SIGKILL')
    await Promise.all([exited, client.close()])
  })

  const event = { eventId: 'an-event', body: '{"type":"agent.published"}' }
  const statusFor = async (secrets: string[], at = new Date()) => (await send({ ...event, url, secrets }, at)).status

  test('accepts what this service signs, also when its secret is the earlier of two', async () => {
    expect(await statusFor([secret])).toBe(204)
    expect(await statusFor([createSecret(), secret])).toBe(204)
  })

  test('refuses another or an old signature', async () => {
    expect(await statusFor([createSecret()])).toBe(400)
    expect(await statusFor([secret], new Date(Date.now() - 3_600_000))).toBe(400)
  })
})

test('the document describes every type of event', () => {
  for (const type of webhookEventTypeSchema.options) expect(text).toContain(`\`${type}\``)
})
