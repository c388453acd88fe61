// `npm start` of an example: installs the packages named before `--` from Parlance, makes an Agent to talk with, and runs the file after
// `--` with PARLANCE_URL, PARLANCE_API_KEY and AGENT_ID.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const names = process.argv.slice(2, process.argv.indexOf('--'))
const [file, ...args] = process.argv.slice(process.argv.indexOf('--') + 1)

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
const fail = (text) => {
  console.error(text)
  process.exit(1)
}

/** `npm start` of Parlance in the folder above writes its address and a key. */
const local = JSON.parse(read(new URL('../.parlance/dev.json', import.meta.url)) ?? '{}')
const url = process.env.PARLANCE_URL ?? local.url ?? 'http://127.0.0.1:8080'
const key = process.env.PARLANCE_API_KEY ?? local.api_key

const call = async (method, path, body) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) }).catch(() =>
    fail(`Parlance does not answer at ${url}. Start it with "npm start" in its folder, or set PARLANCE_URL.`),
  )
  const answer = await response.json().catch(() => ({}))
  return response.ok ? answer : fail(`${method} ${url}${path}: ${answer.detail ?? response.status}`)
}

const install = (tarballs) => {
  const record = 'node_modules/.parlance'
  const wanted = [...tarballs, read('package.json')].join('\n')
  if (read(record) === wanted) return
  console.log(`Installing packages, those of Parlance from ${url} …`)
  const options = ['--no-save', '--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = [process.env.npm_execpath, 'install', ...options, ...tarballs]
  if (spawnSync(process.execPath, npm, { stdio: 'inherit' }).status !== 0) process.exit(1)
  writeFileSync(record, wanted)
}

const createAgent = async (slug) => {
  const { voices } = await call('GET', '/v1/voices?language=en')
  const { avatars } = await call('GET', '/v1/avatars')
  // The list begins with the best voice.
  const voice = voices.find(({ status }) => status === 'available') ?? fail('Parlance has no English voice.')
  const agent = await call('POST', '/v1/agents', {
    slug,
    display_name: 'Guide',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants.find(({ streaming }) => streaming).id, language: 'en' },
    stt_config: { language: 'en' },
    avatar_id: avatars[0]?.id ?? null,
    llm_provider: 'builtin',
    llm_model: 'rules',
    first_message: 'Hello! Ask me anything, or just say hi.',
  })
  await call('POST', `/v1/agents/${agent.id}/publish`)
  return agent
}

const { packages } = await call('GET', '/packages')
if (key === undefined)
  fail('Set PARLANCE_API_KEY to a key of your workspace: the dashboard creates one under "API keys".')
const slug = 'example-guide'
const agent = (await call('GET', `/v1/agents?slug=${slug}`)).agents[0] ?? (await createAgent(slug))
if (names.length > 0) install(names.map((name) => packages.find((one) => one.name === `@parlance/${name}`).version_url))
const env = { ...process.env, PARLANCE_URL: url, PARLANCE_API_KEY: key, AGENT_ID: agent.id }
const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.once('close', (code) => process.exit(code ?? 1))
