import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createInProcessBus } from '@parlance/bus'
import { errorBodySchema, installEventSchema } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { writeToneModel } from '@parlance/testing'
import {
  espeakData,
  espeakEntry,
  server as files,
  home,
  license,
  modelsDir,
  piperModel,
  useScene,
  visible,
} from '../libs/models/test/install/catalog-scene.js'
import { createModelInstaller, type ModelInstaller } from '../services/standalone/src/models/model-installer.js'
import { createOperatorServer } from '../services/standalone/src/operator-server.js'
import { testedCommands } from './documents.js'
import { eventually } from './eventually.js'

useScene()
const name = 'en_US-joe-medium'
const path = '/operator/models'
let server: Server
let installer: ModelInstaller
let measured = 0

beforeEach(async () => {
  measured = 0
  const model = await piperModel()
  const logger = createLogger({ name: 'test', level: 'silent' })
  await writeToneModel(join(modelsDir, 'tones'))
  // The data of eSpeak NG that models share.
  await cp(espeakData, join(modelsDir, '.espeak-ng-data'), { recursive: true })
  installer = createModelInstaller({
    modelsDir,
    logger,
    mirror: files.url,
    measure: async () => void measured++,
    readCatalog: async () => ({ version: 1, espeak_data: espeakEntry, models: [model] }),
  })
  server = createOperatorServer({ bus: createInProcessBus(), logger }, installer).listen(join(home, 'operator.sock'))
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const begin = async (method: string, at: string, body?: object): Promise<IncomingMessage> => {
  const request = httpRequest({ socketPath: join(home, 'operator.sock'), path: at, method })
  request.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
const ask = async (method: string, at: string, body?: object) => {
  const response = await begin(method, at, body)
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  const lines = text.trim().split('\n')
  return { status: response.statusCode, lines: lines.map((line) => JSON.parse(line)) }
}
const refusal = async (method: string, at: string, body?: object) => {
  const { status, lines } = await ask(method, at, body)
  const { code, detail } = errorBodySchema.parse(lines[0])
  return { status, code, detail }
}

/** Begins an installation whose download stops after 1,000 bytes, and resolves when these have arrived. */
const beginCutDownload = async (): Promise<IncomingMessage> => {
  Object.assign(files.files[`${name}.onnx`]!, { etag: '"1"', stopAfterBytes: 1000, stops: 1 })
  const response = await begin('POST', path, { name, accept_license: true })
  const part = join(modelsDir, '.downloads', name, `${name}.onnx.part`)
  await eventually(async () => (await stat(part).catch(() => undefined))?.size === 1000 || undefined)
  return response
}

test('a model is installed with events of its license, its downloads, its measurement and its end, listed and removed', async () => {
  const { status, lines } = await ask('POST', path, { name, accept_license: true })
  expect(status).toBe(200)
  const events = lines.map((line) => installEventSchema.parse(line))
  expect(events[0]).toEqual({
    event: 'license',
    model: name,
    license: 'CC0',
    source: license.source,
    lineage: null,
  })
  const weights = files.files[`${name}.onnx`]!.content.length
  expect(events).toContainEqual({
    event: 'progress',
    file: `${name}.onnx`,
    received_bytes: weights,
    total_bytes: weights,
  })
  expect(events.at(-2)).toEqual({ event: 'measuring', model: name })
  expect(measured).toBe(1)
  expect(events.at(-1)).toMatchObject({ event: 'installed', name, license: 'CC0' })
  const [{ models }] = (await ask('GET', path)).lines
  expect(models).toMatchObject([
    { name, kind: 'tts', languages: ['en-US', 'en'], license: 'CC0', catalogue_name: name, problems: [] },
    { name: 'tones', kind: 'tts', catalogue_name: null, files: [] },
  ])
  expect(models[0].files.map(({ url }: { url: string }) => url)).toContain(
    `https://collection.example/voices/${name}.onnx`,
  )
  expect(await ask('DELETE', `${path}/${name}`)).toEqual({ status: 200, lines: [{ name, removed: true }] })
  expect(await visible()).toEqual(['tones'])
})

test('the commands of the documentation install a model, list it and remove it', async () => {
  const commands = testedCommands('docs/speech-models.md')[0]!.replace('.parlance/', '')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: home })
  expect(stdout).toMatch(/"event":"installed".*"models":\[\{"name":"en_US-joe-medium".*"removed":true/s)
  expect(await visible()).toEqual(['tones'])
})

test('a model that cannot be installed or removed is an error with advice, and nothing is downloaded', async () => {
  expect(await refusal('POST', path, { name })).toEqual({
    status: 400,
    code: 'invalid_request',
    detail: `${name} has the license CC0, stated at ${license.source}. Send "accept_license": true to accept it.`,
  })
  expect(files.requests.filter((line) => line.includes('.onnx '))).toEqual([])
  expect(await refusal('POST', path, { name: 'nobody' })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await refusal('POST', path, { name, force: true })).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await refusal('DELETE', `${path}/nobody`)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await refusal('DELETE', `${path}/%2e%2e%2f`)).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await refusal('DELETE', `${path}/%zz`)).toMatchObject({ status: 400, code: 'invalid_request' })
  for (const [method, at] of [
    ['PUT', path],
    ['POST', `${path}/${name}`],
    ['DELETE', path],
    ['GET', '/operator'],
  ] as const) {
    expect(await refusal(method, at)).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await visible()).toEqual(['tones'])
})

test('a download that fails after the first event is the last line', async () => {
  files.files[`${name}.onnx`]!.content = Buffer.alloc(files.files[`${name}.onnx`]!.content.length, 1)
  const { status, lines } = await ask('POST', path, { name, accept_license: true })
  expect(status).toBe(200)
  expect(errorBodySchema.parse(lines.at(-1))).toMatchObject({ code: 'upstream_error' })
  expect(await visible()).toEqual(['tones'])
})

test('a client that hangs up stops the installation, which the next one continues; meanwhile another is refused', async () => {
  const response = await beginCutDownload()
  expect(await refusal('POST', path, { name, accept_license: true })).toMatchObject({
    status: 429,
    code: 'concurrency_limited',
    detail: `${name} is being installed already.`,
  })
  response.destroy()
  const again = async (): Promise<Awaited<ReturnType<typeof ask>>> => {
    const answer = await ask('POST', path, { name, accept_license: true })
    return answer.status === 429 ? again() : answer
  }
  expect((await again()).lines.at(-1)).toMatchObject({ event: 'installed' })
  expect(files.requests).toContain(`${name}.onnx bytes=1000-`)
})

test('an installation in progress is stopped when everything stops', async () => {
  const response = await beginCutDownload()
  installer.stop()
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  expect(errorBodySchema.parse(JSON.parse(text.trim().split('\n').at(-1)!))).toMatchObject({ code: 'draining' })
  expect((await readdir(modelsDir)).filter((entry) => entry.includes(name))).toEqual([])
})
