import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { natsPermissionsOf, traffic } from '../../cli/src/nats/nats-permissions.js'
import { describeWithHelm } from './describe-with-helm.js'
import { chart, type KubernetesObject, podSpecOf, render } from './rendering.js'

const users = Object.keys(traffic)

const variablesOf = (object: KubernetesObject): Record<string, string | object> =>
  Object.fromEntries(
    podSpecOf(object).containers[0].env.map(({ name, value, valueFrom }: Record<string, string>) => [
      name,
      value ?? valueFrom,
    ]),
  )

await describeWithHelm('the NATS of a trial', ([helm]) => {
  const open = async (...args: string[]) => {
    const objects = await render(helm!, 'values-trial.yaml', ...args)
    const find = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === `speech-parlance-${name}`)!
    return { find, nats: podSpecOf(find('StatefulSet', 'nats')) }
  }

  test('has a user for each service, with a password that the chart makes and NATS reads as text', async () => {
    const { find, nats } = await open()
    expect(nats.containers[0].args).toEqual(['--port', '4222', '--config', '/etc/nats/users.conf'])
    const configuration = find('ConfigMap', 'nats').data['users.conf']
    expect(configuration.trim()).toBe((await readFile(join(chart, 'files/nats-users.conf'), 'utf8')).trim())
    const { data } = find('Secret', 'secrets')
    const given = variablesOf(find('StatefulSet', 'nats'))
    for (const user of users) {
      const variable = `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`
      expect(configuration).toContain(`user: ${user}, password: $${variable}`)
      for (const subject of natsPermissionsOf(user).publish) expect(configuration).toContain(`"${subject}"`)
      expect(given[variable]).toEqual({ secretKeyRef: { name: 'speech-parlance-secrets', key: `${user}.password` } })
      expect(Buffer.from(data[`${user}.password`], 'base64').toString()).toMatch(/^[A-Za-z]{32}$/)
    }
    for (const user of users.filter((one) => one !== 'cli')) {
      expect(variablesOf(find('Deployment', user))).toMatchObject({
        NATS_USER: user,
        NATS_PASSWORD: { secretKeyRef: { name: 'speech-parlance-secrets', key: `${user}.password` } },
        NATS_INBOX_PREFIX: `_INBOX_${user}`,
      })
    }
    for (const operator of [find('Pod', 'speech-test'), find('Deployment', 'operator')]) {
      expect(variablesOf(operator)).toMatchObject({ NATS_USER: 'cli', NATS_INBOX_PREFIX: '_INBOX_cli' })
    }
  })

  test('takes the nkeys of a Secret that `parlance nats-accounts` made', async () => {
    const { find, nats } = await open('--set', 'nats.authentication=nkey,nats.existingSecret=nkeys')
    const secret = { secretName: 'nkeys', items: [{ key: 'users.conf', path: 'users.conf' }] }
    expect(nats.volumes).toContainEqual({ name: 'users', secret })
    expect(variablesOf(find('Deployment', 'tts'))).toMatchObject({
      NATS_NKEY_SEED_FILE: '/etc/parlance/nats/tts.nk',
      NATS_INBOX_PREFIX: '_INBOX_tts',
    })
    expect(find('Secret', 'secrets').data).not.toHaveProperty(['tts.password'])
  })
})
