import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { startIdlePod } from './kubernetes.mjs'

const folder = fileURLToPath(new URL('nats', import.meta.url))

/** Makes nkeys with the command line of the image: the files of `parlance nats-accounts --nkeys`, and `users.conf`. */
const makeNkeys = async (kubectl, { release, image }) => {
  await startIdlePod(kubectl, folder, { name: 'nkeys', release, image, env: [] })
  const script = `
    node cli/bin/parlance.mjs nats-accounts --nkeys /tmp/keys > /tmp/users.conf && mv /tmp/users.conf /tmp/keys
    cd /tmp/keys && node -p 'JSON.stringify(Object.fromEntries(fs.readdirSync(".").map((file) => [file, fs.readFileSync(file, "utf8")])))'
  `
  return JSON.parse(await kubectl(['exec', 'nkeys', '--', 'sh', '-ec', script]))
}

/** Makes a Secret with an nkey for each service, as an operator would. Resolves to its name. */
export const createNkeys = async (kubectl, options) => {
  const name = 'nkeys'
  const stringData = await makeNkeys(kubectl, options)
  await kubectl.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData })
  return name
}

/** Lets each user of NATS try operations that it does not need. */
export const checkDenied = async (kubectl, { release, image, secret }) => {
  const env = [{ name: 'NATS_URL', value: `nats://${release}-parlance-nats:4222` }]
  await startIdlePod(kubectl, folder, { name: 'denied', release, image, env, keys: secret })
  const { users, denied, problems } = JSON.parse(await kubectl(['exec', 'denied', '--', 'node', '/files/denied.mjs']))
  assert.deepEqual(problems, [])
  assert.ok(denied > 100, `${denied} operations were denied`)
  return `${users} users, ${denied} operations denied`
}
