/**
 * What conversations leave behind in a page: a client each, over both transports, by voice and by text alone, in a browser without
 * a window. Garbage is collected before memory is read.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { launchBrowser } from '@parlance/testing/browser'
import { build } from 'esbuild'
import { publishAgent } from './harness/agent.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild, root } from './harness/installed.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { startStandalone } from './harness/standalone.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('what conversations leave behind in a page', {
  connects: { type: 'number', default: 200, help: 'after a warm-up of a tenth of them' },
})
const { connects } = options
needBuild('standalone')

/** Runs in the page. */
const script = `
  import { createParlanceClient } from '@parlance/client'
  globalThis.converse = async (agentId, apiOrigin, token, number) => {
    const client = createParlanceClient({
      agentId, apiOrigin, sessionToken: () => token, transport: number % 2 === 0 ? 'webrtc' : 'websocket',
    })
    const off = ['levels', 'devicesChanged', 'transcript', 'history'].map((name) => client.on(name, () => {}))
    await client.connect({ inputMode: 'automatic', textOnly: number % 4 > 1 })
    client.getInputFrequencyData()
    client.getOutputFrequencyData()
    client.sendText('What is two plus two?')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await client.disconnect()
    for (const stop of off) stop()
  }`
const { outputFiles } = await build({
  stdin: { contents: script, resolveDir: root },
  bundle: true,
  format: 'esm',
  write: false,
})
/** On this machine, so that browsers trust it with a microphone. */
const pages = createServer((request, response) => {
  const isScript = request.url === '/page.js'
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
  response.end(isScript ? outputFiles[0].text : '<!doctype html><script type="module" src="/page.js"></script>')
}).listen(0, '127.0.0.1')
await once(pages, 'listening')

await inTemporaryFolder(async (folder) => {
  const env = { SESSION_UDP_ADDRESS: '127.0.0.1', STT_PROVIDER: 'openai', STT_OPENAI_URL: 'http://127.0.0.1:9/v1' }
  const product = await startStandalone({ folder, env })
  let browser
  try {
    const { authorization } = product.headers
    const agentId = await publishAgent(
      { url: product.url, authorization },
      { llm_provider: 'builtin', llm_model: 'rules' },
    )
    browser = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream')
    const page = await browser.newPage()
    page.on('pageerror', (error) => say(error.message))
    await page.goto(`http://127.0.0.1:${pages.address().port}`)
    const devtools = await page.context().newCDPSession(page)

    const state = async () => {
      for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await devtools.send('Runtime.getHeapUsage')
      const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
      return { heapMb: usedSize / 1024 ** 2, nodes, listeners: jsEventListeners }
    }
    const converse = async (count) => {
      for (let number = 0; number < count; number++) {
        if (number % 20 === 0) say(`${number} of ${count}`)
        const path = `/v1/agents/${agentId}/session-tokens`
        const minted = await fetch(`${product.url}${path}`, { method: 'POST', headers: { authorization } })
        const { token } = await minted.json()
        await page.evaluate((given) => globalThis.converse(...given), [agentId, product.url, token, number])
      }
    }

    await converse(Math.ceil(connects / 10))
    const first = await state()
    await converse(connects)
    const last = await state()
    const { json, assert } = options
    finish({
      json,
      assert,
      text: table(
        ['', 'after the warm-up', `after ${connects} more`],
        [
          ['heap, MB', first.heapMb.toFixed(2), last.heapMb.toFixed(2)],
          ['DOM nodes', first.nodes, last.nodes],
          ['event listeners', first.listeners, last.listeners],
        ],
      ),
      figures: { connects, first, last },
      goals: [
        goal('the heap of the page', last.heapMb - first.heapMb, ' MB', atMost(1)),
        goal('its DOM nodes', last.nodes - first.nodes, '', atMost(5)),
        goal('its event listeners', last.listeners - first.listeners, '', atMost(5)),
      ],
    })
  } finally {
    await browser?.close()
    pages.close()
    await product.stop()
  }
})
