import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWithPrograms, startNatsServer } from '@parlance/testing'

/** Two subscribers get three messages; the first one throws at each. */
const publishToThrowingSubscriber = `
  import { connectNatsBus, createInProcessBus } from './dist/index.js'
  const url = process.argv[1]
  const bus = url ? await connectNatsBus({ url, name: 'x' }) : createInProcessBus()
  const thrown = []
  process.on('uncaughtException', (error) => thrown.push(error.message))
  bus.subscribe('fragile', ({ data }) => { throw new Error(String(data)) })
  const received = []
  const all = new Promise((resolve) => bus.subscribe('fragile', ({ data }) => {
    if (received.push(String(data)) === 3) resolve()
  }))
  await bus.flush()
  for (const text of ['a', 'b', 'c']) bus.publish('fragile', Buffer.from(text))
  await all
  await bus.flush()
  console.log(JSON.stringify({ thrown, received }))
  await bus.close()
`

const run = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', publishToThrowingSubscriber, ...args],
    { cwd: fileURLToPath(new URL('..', import.meta.url)) },
  )
  return JSON.parse(stdout)
}
const everything = { thrown: ['a', 'b', 'c'], received: ['a', 'b', 'c'] }

test('the other subscribers get every message of one that throws, in-process', async () => {
  expect(await run()).toEqual(everything)
})

describeWithPrograms(['nats'], 'a subscriber that throws', () => {
  test('does not keep messages from the others, over NATS', async () => {
    const server = await startNatsServer()
    try {
      expect(await run(server.url)).toEqual(everything)
    } finally {
      await server.stop()
    }
  })
})
