/**
 * What our side of a language model takes: the first text of a reply over the server's own, and the event loop's time.
 *
 * One reply at a time, beside a bare reader of the same stream; then as many at once as a process holds conversations, all
 * of them speaking, at the pace of a model.
 */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@parlance/testing'
import { fetch } from 'undici'
import { startProcess } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild, root } from './harness/installed.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('language-model', 'first text and CPU time of replies, beside a bare reader', {
  rounds: { type: 'number', default: 100, help: 'replies of each side, one at a time' },
  tokens: { type: 'number', default: 200, help: 'in each reply' },
  conversations: { type: 'number', default: 50, help: 'replies at once' },
  pace: { type: 'number', default: 20, help: 'ms between two tokens of those' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

needBuild('sessions')
const { createRemoteProvider } = await import('../services/sessions/dist/language-model/remote-provider.js')

/** A reader that does no more than it must. */
const openBare = (url) => (model) => ({
  async *reply() {
    const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello.' }] })
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', body })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = lines.pop()
      for (const line of lines) {
        const text = line.startsWith('data: {') && JSON.parse(line.slice(6)).choices[0].delta.content
        if (text) yield { event: 'text', text }
      }
    }
  },
})

const request = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello.' }],
  temperature: 0.7,
  maxOutputTokens: options.tokens,
  timeoutMs: 30_000,
  tools: [],
  mayCall: false,
}

/** Ms to the first text, and how many texts there were. */
const replyOnce = async (model) => {
  const startedMs = performance.now()
  let firstMs
  let texts = 0
  for await (const chunk of model.reply(request, new AbortController().signal)) {
    if (chunk.event !== 'text') continue
    firstMs ??= performance.now() - startedMs
    texts += 1
  }
  if (texts !== options.tokens) throw new Error(`a reply of ${texts} texts instead of ${options.tokens}`)
  return firstMs
}

const activeMs = async (work) => {
  const before = performance.eventLoopUtilization()
  const result = await work()
  return { result, active: performance.eventLoopUtilization(before).active }
}

const oneAtATime = async (sides) => {
  const inRandomOrder = seededOrder(options.seed)
  const model = `${options.tokens}x0`
  for (const { models } of sides) for (let i = 0; i < 20; i++) await replyOnce(models(model))
  const figures = new Map(sides.map(({ name }) => [name, { firstMs: [], activeMs: [] }]))
  for (let round = 0; round < options.rounds; round++) {
    for (const { name, models } of inRandomOrder(sides)) {
      const { result, active } = await activeMs(() => replyOnce(models(model)))
      figures.get(name).firstMs.push(result)
      figures.get(name).activeMs.push(active)
      await delay(5)
    }
  }
  return figures
}

const allAtOnce = async ({ name, models }) => {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const model = models(`${options.tokens}x${options.pace}`)
  const startedMs = performance.now()
  loop.enable()
  const { active } = await activeMs(() =>
    Promise.all(Array.from({ length: options.conversations }, () => replyOnce(model))),
  )
  loop.disable()
  const share = active / (performance.now() - startedMs)
  return { name, share, loopP99Ms: loop.percentile(99) / 1e6 - 1 }
}

await inTemporaryFolder(async (logs) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/v1`
  const server = startProcess({
    name: 'server',
    command: [process.execPath, join(root, 'bench/harness/chat-completions.mjs')],
    env: { PORT: String(port) },
    log: join(logs, 'server.log'),
  })
  const listening = () =>
    fetch(url, { method: 'POST', body: '{"model":"0x0"}' }).then(
      () => true,
      () => false,
    )
  while (!(await listening())) await delay(20)
  const remote = (provider) => createRemoteProvider(provider, { url, key: 'key' })
  const sides = [
    { name: 'bare reader', models: openBare(url) },
    { name: 'openai', models: remote('openai') },
    { name: 'openai_compatible', models: remote('openai_compatible') },
  ]
  say('one at a time ...')
  const single = await oneAtATime(sides)
  say('all at once ...')
  const crowds = []
  for (const side of sides) crowds.push(await allAtOnce(side))
  await server.stop()

  const rows = sides.map(({ name }, index) => {
    const { firstMs, activeMs } = single.get(name)
    return {
      name,
      firstP50Ms: median(firstMs),
      firstP95Ms: percentile(firstMs, 0.95),
      tokenUs: (median(activeMs) / options.tokens) * 1000,
      ...crowds[index],
    }
  })
  const text = table(
    [
      '',
      'first text ms p50',
      'p95',
      'event loop µs a token',
      `${options.conversations} at once: loop %`,
      'loop delay p99 ms',
    ],
    rows.map(({ name, firstP50Ms, firstP95Ms, tokenUs, share, loopP99Ms }) => [
      name,
      firstP50Ms.toFixed(2),
      firstP95Ms.toFixed(2),
      tokenUs.toFixed(0),
      (share * 100).toFixed(0),
      loopP99Ms.toFixed(1),
    ]),
  )
  const [bare, ...ours] = rows
  const goals = ours.flatMap(({ name, firstP50Ms, tokenUs }) => [
    goal(`first text behind the bare reader, ${name}`, firstP50Ms - bare.firstP50Ms, ' ms', atMost(3)),
    goal(`event loop for a token, ${name}`, tokenUs / bare.tokenUs, ' × bare', atMost(5)),
  ])
  const { json, assert, seed } = options
  finish({ json, assert, text: `${text}\n\nseed ${seed}`, figures: { seed, rows }, goals })
})
process.exit()
