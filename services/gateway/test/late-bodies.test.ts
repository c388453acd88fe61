/** Requests that arrive slowly, and bodies that are read late, such as after the check of a key. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { maxAudioFileBytes } from '@parlance/contracts'
import { createLogger, createMetrics } from '@parlance/telemetry'
import express, { type Request, type Response } from 'express'
import { readBody } from '../src/http/json-body.js'
import { readForm } from '../src/http/multipart-form.js'
import { type HttpServer, openHttpServer } from '../src/http/server.js'
import { workspaceId } from './fake-services.js'

let server: HttpServer
let handle: (req: Request, res: Response) => Promise<void>
beforeAll(async () => {
  const app = express()
  app.post('/', async (req, res) => {
    req.principal = { key_id: workspaceId, workspace_id: workspaceId, capabilities: [], suspended: false }
    await handle(req, res)
  })
  const logger = createLogger({ name: 'forms', destination: { write: () => {} } })
  const options = { logger, metrics: createMetrics(), stopWithinMs: 2_000 }
  server = await openHttpServer(app, { port: 0, host: '127.0.0.1' }, options)
})
afterAll(() => server.stop())

/** Sends a body, and disconnects when the handler has begun. Resolves with the result of reading the body afterwards. */
const leave = (
  contentLength: number,
  form: string,
  read: (req: Request) => Promise<unknown> = readForm,
): Promise<unknown> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    handle = async (req, res) => {
      socket.destroy()
      if (!res.closed) await once(res, 'close')
      resolve(await read(req).catch((error: unknown) => error))
    }
    const type = 'multipart/form-data; boundary=b'
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${contentLength}\r\n\r\n${form}`,
    )
  })

const whole = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nsound\r\n--b--\r\n'

test('a client that sends its headers too slowly gets an error after 10 s, one that sends nothing is only disconnected', async () => {
  const unused = connect(server.port, '127.0.0.1')
  let answer = ''
  unused.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const unusedClosed = once(unused, 'close')
  const socket = connect(server.port, '127.0.0.1')
  socket.setEncoding('utf8').write('POST / HTTP/1.1\r\nhost: x\r\n')
  const slow = setInterval(() => socket.write('x: y\r\n'), 1_000)
  let response = ''
  socket.on('data', (text: string) => {
    response += text
  })
  // A line that crosses with the response resets the connection, which `once` would take for a failure.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(slow)
  expect(response).toContain('The request took too long to arrive.')
  await unusedClosed
  expect(answer).toBe('')
})

test('the form of a client that has left is an error, whether all of it had arrived or not', async () => {
  expect(await leave(100, '--b\r\n')).toMatchObject({ code: 'invalid_request' })
  expect(await leave(whole.length, whole)).toMatchObject({ code: 'invalid_request' })
})

test('the JSON of a client that has left is an error, whether all of it had arrived or not', async () => {
  expect(await leave(100, '{"a"', readBody)).toMatchObject({ code: 'invalid_request' })
  expect(await leave(2, '{}', readBody)).toMatchObject({ code: 'invalid_request' })
})

test('clients that disconnect before their forms are read release their memory', async () => {
  // More than the total memory.
  for (let n = 0; n < 20; n++) await leave(maxAudioFileBytes, '--b\r\n')
  handle = async (req, res) => void res.json((await readForm(req)).fields)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(maxAudioFileBytes)]))
  form.set('model', 'whisper-1')
  const response = await fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body: form })
  expect(await response.json()).toEqual({ model: 'whisper-1' })
})

test('uploads without a length reserve only the memory of the received bytes, so that small ones leave room for others', async () => {
  const clients: Socket[] = []
  let begun = 0
  handle = async (req, res) => {
    const reading = readForm(req)
    begun += 1
    res.json((await reading).fields)
  }
  // Of the largest files, seven fill the share of a workspace.
  for (let n = 0; n < 20; n++) {
    const client = connect(server.port, '127.0.0.1')
    client.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n4\r\n--b\r\r\n`,
    )
    clients.push(client)
  }
  while (begun < clients.length) await new Promise(setImmediate)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(maxAudioFileBytes)]))
  const response = await fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body: form })
  expect(response.status).toBe(200)
  for (const client of clients) client.destroy()
})
