import { type InstallEvent, readInstallEvents } from '../../src/api/install-events.js'

const encoder = new TextEncoder()

/** A body that arrives in these parts. */
const bodyOf = (...parts: (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
      controller.close()
    },
  })

const eventsOf = async (...parts: (string | Uint8Array)[]) => {
  const events: InstallEvent[] = []
  const failure = await readInstallEvents(bodyOf(...parts), (event) => events.push(event)).catch((error) => error)
  return { events, failure }
}

const measuring = { event: 'measuring', model: 'Zoë' } as const
const error = { event: 'error', code: 'upstream_error', detail: 'The file was removed.', retryable: true }

test('events are read from parts that end within a line or within a character', async () => {
  const installed = { event: 'installed', name: 'Zoë', license: 'CC0-1.0', size_bytes: 1 } as const
  const bytes = encoder.encode(`${JSON.stringify(measuring)}\n\n${JSON.stringify(installed)}\n`)
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const { events, failure } = await eventsOf(bytes.subarray(0, cut), bytes.subarray(cut))
    expect([events, failure]).toEqual([[measuring, installed], undefined])
  }
})

test('an error that comes after an event is thrown', async () => {
  const { events, failure } = await eventsOf(`${JSON.stringify(measuring)}\n`, `${JSON.stringify(error)}\n`)
  expect([events, failure]).toEqual([[measuring], error])
})

test('an installation that ends without its last event has failed', async () => {
  const { failure } = await eventsOf(`${JSON.stringify(measuring)}\n`)
  expect(failure).toBeInstanceOf(TypeError)
})

test('an installation is complete with its last event, also when the connection breaks afterwards', async () => {
  const installed = { event: 'installed', name: 'Zoë', license: 'CC0-1.0', size_bytes: 1 }
  let isRead = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isRead) controller.error(new TypeError('the connection broke'))
      else controller.enqueue(encoder.encode(`${JSON.stringify(installed)}\n`))
      isRead = true
    },
  })
  const events: InstallEvent[] = []
  await readInstallEvents(body, (event) => events.push(event))
  expect(events).toEqual([installed])
})
