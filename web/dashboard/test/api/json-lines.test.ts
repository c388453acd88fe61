import { readJsonLines } from '../../src/api/json-lines.js'

const encoder = new TextEncoder()

test('values are whole wherever the connection cuts lines and characters', async () => {
  const values = [{ name: 'Zoë' }, { at_ms: 1 }]
  const bytes = encoder.encode(values.map((value) => `${JSON.stringify(value)}\n\n`).join(''))
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, cut))
        controller.enqueue(bytes.subarray(cut))
        controller.close()
      },
    })
    const read = []
    for await (const value of readJsonLines(body)) read.push(value)
    expect(read).toEqual(values)
  }
})

test('a caller that stops reading cancels the body', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encoder.encode('1\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const value of readJsonLines(body)) {
    expect(value).toBe(1)
    break
  }
  while (!isCancelled) await new Promise(setImmediate)
})
