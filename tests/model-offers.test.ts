import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorBodySchema } from '@parlance/contracts'
import type { CatalogFile } from '@parlance/models/install'
import { gateway } from '@parlance/service-gateway'
import { describeWithPrograms, writeToneRecognizer } from '@parlance/testing'
import { launchHeadlessShell } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'
// Loaded before the first call, whose deadline the loading would exceed on a busy machine.
import '../services/auth/src/people/accounts.js'
import { writePiperOriginal } from '../libs/models/test/import/piper-original.js'
import { espeakEntry, license, modelOf, sha256Of } from '../libs/models/test/install/catalog-scene.js'
import { type FileServer, startFileServer } from '../libs/models/test/install/file-server.js'
import { createModelAdministration } from '../services/standalone/src/models/model-administration.js'
import { createModelInstaller } from '../services/standalone/src/models/model-installer.js'
import { createModelOffers } from '../services/standalone/src/models/model-offers.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { testModelsPage } from './models-page.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'

const name = 'en_US-joe-medium'
const path = '/try/natural-voice'
const recognizerName = 'tones-en'

describeWithPrograms(['chromium', 'espeak-ng'], 'the offer of a natural voice on the page that /play leads to', () => {
  let home: string
  let modelsDir: string
  let mirror: FileServer
  let platform: TestPlatform
  let browser: Browser
  /** Of the workspace that may install. */
  let key: string
  let workspaceId: string | undefined
  let page: Page
  const weights = () => mirror.files[`${name}.onnx`]!

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-natural-voice-'))
    modelsDir = join(home, 'models')
    mirror = await startFileServer()
    await writePiperOriginal(join(home, 'source'), name)
    const served = async (file: string, more: Partial<CatalogFile> = {}): Promise<CatalogFile> => {
      const content = await readFile(join(home, 'source', file))
      mirror.files[file] = { content, etag: '"1"' }
      const url = `https://collection.example/voices/${file}`
      return { url, size_bytes: content.length, md5: null, sha256: sha256Of(content), path: file, ...more }
    }
    const files = [
      await served(`${name}.onnx`),
      await served(`${name}.onnx.json`),
      await served('MODEL_CARD', { optional: true }),
    ]
    const model = modelOf(name, files, { display_name: 'Joe (medium)' })
    await writeToneRecognizer(join(home, 'source'))
    const recognizer = modelOf(
      recognizerName,
      await Promise.all(['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'].map((file) => served(file))),
      { kind: 'stt', format: 'sherpa-onnx', display_name: 'Tones', languages: ['en'], recommended: true },
    )
    const readCatalog = async () => ({ version: 1 as const, espeak_data: espeakEntry, models: [model, recognizer] })
    const installing = gateway.withInstallers((logger) => {
      const measure = async () => {}
      const installer = createModelInstaller({ modelsDir, logger, mirror: mirror.url, measure, readCatalog })
      return {
        modelOffers: createModelOffers({ installer, modelsDir, findWorkspaceId: async () => workspaceId }),
        modelAdministration: createModelAdministration(installer),
      }
    })
    platform = await startTogether({ MODELS_DIR: modelsDir }, installing)
    const own = await newKey(platform)
    workspaceId = own.workspace.id
    key = own.key.key
    browser = await launchHeadlessShell()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
    await mirror?.close()
    await rm(home, { recursive: true, force: true })
  })

  const neuralVoices = async () =>
    (await platform.catalog.listVoices({ synthesis: 'neural', limit: 100 })).voices.map(({ id }) => id)

  beforeEach(async () => {
    mirror.requests.length = 0
    page = await browser.newPage({ locale: 'en-US' })
  })
  afterEach(async () => {
    await page.context().close()
    mirror.cut()
    await rm(join(modelsDir, name), { recursive: true, force: true })
    await rm(join(modelsDir, '.downloads'), { recursive: true, force: true })
    await eventually(async () => ((await neuralVoices()).length === 0 ? true : undefined))
  })

  const text = (selector: string) => page.locator(selector).textContent()
  const dialog = (state: string) => page.waitForSelector(`#natural-voice[data-state=${state}]`)
  const openOffer = async () => {
    await page.goto(`${platform.urls[0]}/play`)
    await page.fill('#key', key)
    await page.click('#use-key')
    await page.click('#get-voice')
  }
  const acceptAndDownload = async () => {
    await page.check('#accept-license')
    await page.click('#install-voice')
  }
  /** The next downloads of the model stop at each third of it until they are cut. */
  const stopAtThirds = (stops: number) => {
    const thirdBytes = Math.floor(weights().content.length / 3)
    Object.assign(weights(), { stopAfterBytes: thirdBytes, stops })
    return thirdBytes
  }
  const untilReceived = (bytes: number) => {
    const part = join(modelsDir, '.downloads', name, `${name}.onnx.part`)
    return eventually(async () => ((await stat(part).catch(() => undefined))?.size === bytes ? true : undefined))
  }
  /** Read at one moment, since the page keeps changing. Undefined while the percentage does not have two digits. */
  const shownProgress = async () => {
    const shown = await page.evaluate<{ status?: string; share: number; label: string }>(`({
      status: document.querySelector('#install-status')?.textContent,
      share: Number(document.querySelector('#install-progress')?.getAttribute('aria-valuenow')),
      label: document.querySelector('#get-voice').textContent,
    })`)
    const match = /^\d+\.\d MB of \d+\.\d MB, ([1-9]\d %)$/.exec(shown.status ?? '')
    return match === null ? undefined : { ...shown, percent: match[1]! }
  }
  const visibleModels = async () => (await readdir(modelsDir).catch(() => [])).filter((entry) => !entry.startsWith('.'))

  test('it states the voice, its size and its license, downloads after the license was accepted, and selects the voice without a reload', async () => {
    await openOffer()
    expect(await text('#offered-voice')).toBe('Joe (medium)')
    expect(await text('#offered-language')).toBe('American English')
    const size = await text('#offered-size')
    expect(size).toMatch(/^\d+\.\d MB$/)
    expect(await page.locator('#offered-licenses a').getAttribute('href')).toBe(license.source)
    expect(await text('#offered-licenses')).toBe('CC0')
    expect(await page.isDisabled('#install-voice')).toBe(true)
    expect(mirror.requests).toEqual([])

    await page.evaluate('globalThis.isSamePage = true')
    const before = await page.inputValue('#voice')
    const thirdBytes = stopAtThirds(2)
    await acceptAndDownload()
    await dialog('downloading')
    await untilReceived(thirdBytes)
    // The connection is cut. The download continues where it was.
    mirror.cut()
    await untilReceived(2 * thirdBytes)
    const { percent, status, share, label } = await eventually(shownProgress)
    expect(status).toMatch(` of ${size}, `)
    expect(`${Math.floor(share)} %`).toBe(percent)
    expect(label).toBe(`Downloading, ${percent}`)
    mirror.cut()
    await page.waitForSelector('#get-voice', { state: 'hidden' })
    expect(mirror.requests).toContain(`${name}.onnx bytes=${thirdBytes}-`)
    expect(mirror.requests).toContain(`${name}.onnx bytes=${2 * thirdBytes}-`)

    const [joe] = await neuralVoices()
    expect(await page.inputValue('#voice')).toBe(joe)
    expect(joe).not.toBe(before)
    expect(await page.locator('#natural-voice').isVisible()).toBe(false)
    expect(await text('#status')).toMatch(/is installed and chosen\.$/)
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
    await page.click('#speak')
    await page.waitForSelector('#speech[data-state=done]')
    // A page that is loaded now does not offer any.
    await page.reload()
    await page.waitForSelector('#speech[data-state=idle]')
    expect(await page.isHidden('#get-voice')).toBe(true)
  })

  test('where no recognizer is installed, the page Talk says so before a conversation, offers typing, and installs one', async () => {
    const api = createApi(platform.urls[0], `Bearer ${key}`)
    await publishAgent(api, { voice: await api.voice() })
    try {
      await page.goto(`${platform.urls[0]}/talk`)
      await page.fill('#key', key)
      await page.click('#use-key')
      await page.waitForSelector('#no-recognizer')
      expect(await text('#no-recognizer')).toMatch(/No recognizer for English.*Tones, .*CC0/)
      await page.click('#type-instead')
      expect(await page.inputValue('#mode')).toBe('text')
      await page.click('#install-recognizer')
      await page.waitForSelector('#no-recognizer', { state: 'detached' })
      expect(await visibleModels()).toEqual([recognizerName])
      await page.reload()
      await page.waitForSelector('#start:enabled')
      expect(await page.isVisible('#no-recognizer')).toBe(false)
    } finally {
      await rm(join(modelsDir, recognizerName), { recursive: true, force: true })
    }
  })

  testModelsPage(name, () => ({ platform, page, workspaceId: workspaceId!, mirror, weights: weights() }))

  test('a download that is cancelled installs nothing, and the next one continues it', async () => {
    const thirdBytes = stopAtThirds(2)
    await openOffer()
    await acceptAndDownload()
    await untilReceived(thirdBytes)
    await page.click('#cancel-install')
    await dialog('offered')
    // Until the server has noticed, it refuses another.
    await eventually(async () => {
      if ((await page.locator('#natural-voice').getAttribute('data-state')) !== 'downloading') {
        await page.click('#install-voice')
      }
      return mirror.requests.includes(`${name}.onnx bytes=${thirdBytes}-`) ? true : undefined
    })
    await untilReceived(2 * thirdBytes)
    await page.click('#cancel-install')
    await dialog('offered')
    expect(await visibleModels()).toEqual([])
  })

  test('a download that fails is explained in one line, with the command that needs no network', async () => {
    weights().status = 404
    try {
      await openOffer()
      await acceptAndDownload()
      await dialog('failed')
    } finally {
      delete weights().status
    }
    expect(await text('#install-problem')).toMatch(/^The file no longer exists at .*\.$/)
    expect(await page.isVisible('#install-offline')).toBe(true)
    expect(await text('#install-offline code')).toBe('npx parlance models import PATH')
    expect(await page.isEnabled('#install-voice')).toBe(true)
    expect(await visibleModels()).toEqual([])
  })

  test('behind a proxy the page names the command instead', async () => {
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' })
    await openOffer()
    await dialog('elsewhere')
    expect(await text('#install-command')).toBe(`npx parlance models install ${name}`)
    expect(await page.isVisible('#install-voice')).toBe(false)
  })

  describe('its endpoint', () => {
    const send = async (method: string, headers: Record<string, string> = {}, body?: object) => {
      const { host, port } = new URL(platform.urls[0])
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        path: method === 'GET' ? `${path}?languages=en-US` : '/try/models',
        method,
        headers: {
          host,
          authorization: `Bearer ${key}`,
          ...(method === 'POST' ? { origin: `http://${host}`, 'content-type': 'application/json' } : {}),
          ...headers,
        },
      })
      request.end(method === 'POST' ? JSON.stringify(body ?? { name, accept_license: true }) : undefined)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      let answer = ''
      for await (const part of response.setEncoding('utf8')) answer += part
      return { status: response.statusCode, answer }
    }
    const refusal = async (headers: Record<string, string>, body?: object) => {
      const { status, answer } = await send('POST', headers, body)
      return [status, errorBodySchema.parse(JSON.parse(answer)).code]
    }

    test.each<[string, Record<string, string>, number, string]>([
      ['a page of another site', { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
      ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }, 403, 'origin_not_allowed'],
      ['no page', { origin: '' }, 403, 'origin_not_allowed'],
      [
        'a name that leads to this machine',
        { host: 'evil.example', origin: 'http://evil.example' },
        403,
        'forbidden_role',
      ],
      ['a proxy', { 'x-forwarded-for': '203.0.113.9' }, 403, 'forbidden_role'],
      ['a proxy of another kind', { forwarded: 'for=203.0.113.9' }, 403, 'forbidden_role'],
      ['a form', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['no key', { authorization: '' }, 401, 'unauthorized'],
    ])('refuses a request from %s', async (_from, headers, status, code) => {
      expect(await refusal(headers)).toEqual([status, code])
      expect(mirror.requests).toEqual([])
    })

    test('refuses the key of another workspace, and offers it only the command', async () => {
      const { authorization } = await newKey(platform)
      expect(await refusal({ authorization })).toEqual([403, 'forbidden_role'])
      const { status, answer } = await send('GET', { authorization })
      expect([status, JSON.parse(answer)]).toEqual([
        200,
        { command: `npx parlance models install ${name}`, voice: null },
      ])
    })

    test('installs nothing whose license is not accepted, and nothing that is not in the catalog', async () => {
      expect(await refusal({}, { name })).toEqual([400, 'invalid_request'])
      expect(await refusal({}, { name, accept_license: false })).toEqual([400, 'invalid_request'])
      expect(await refusal({}, { name: 'nobody', accept_license: true })).toEqual([404, 'not_found'])
      expect(mirror.requests).toEqual([])
    })

    test('is not part of the public API', async () => {
      const response = await fetch(`${platform.urls[0]}/v1/openapi.json`)
      const { paths } = (await response.json()) as { paths: object }
      expect(Object.keys(paths)).not.toContain(path)
    })
  })
})
