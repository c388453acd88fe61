import { createEgressGuard, parseAllowedPlaces } from '../src/index.js'

const names: Record<string, readonly string[]> = {
  'public.example.com': ['93.184.216.34'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  'internal.example.com': ['10.1.2.3', 'fd00::1'],
  'mixed.example.com': ['10.1.2.3', '93.184.216.34'],
}

const check = (url: string, options: { allow?: string; ports?: number[] } = {}) =>
  createEgressGuard({
    allow: parseAllowedPlaces(options.allow ?? ''),
    ports: options.ports,
    async resolve(name) {
      if (names[name] === undefined) throw new Error('ENOTFOUND')
      return names[name]
    },
  }).checkStored('url', url)

describe('an address that is stored', () => {
  test.each([
    'https://127.0.0.1.nip.example.com/',
    'https://internal.example.com/hook',
    'http://10.0.0.1/',
    'http://[::1]:8080/',
    'http://2130706433/',
  ])('is refused when it resolves only to private addresses: %s', async (url) => {
    await expect(check(url)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringMatching(/^url: .*public Internet/),
    })
  })

  test.each(['https://public.example.com/', 'https://mixed.example.com/', 'https://unknown.example.com/'])(
    'is accepted when it has a public address, or its name does not resolve now: %s',
    async (url) => {
      await expect(check(url)).resolves.toBeUndefined()
    },
  )

  test('is accepted where the operator allows the name or the network', async () => {
    await expect(check('http://internal.example.com/', { allow: 'internal.example.com' })).resolves.toBeUndefined()
    await expect(check('http://internal.example.com/', { allow: '10.0.0.0/8' })).resolves.toBeUndefined()
  })

  test('is refused with a port that the operator does not allow, and with a user', async () => {
    await expect(check('https://public.example.com:8443/', { ports: [443] })).rejects.toMatchObject({
      detail: expect.stringContaining('port 8443'),
    })
    await expect(check('https://user:word@public.example.com/')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test.each(['https://localhost/', 'http://a.localhost:8080/', 'http://LOCALHOST./'])(
    'is refused when it names this machine, without asking a DNS server: %s',
    async (url) => {
      const guard = createEgressGuard({ allow: parseAllowedPlaces('') })
      await expect(guard.checkStored('url', url)).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )

  test('is accepted when the DNS server does not answer in time', async () => {
    const guard = createEgressGuard({ allow: parseAllowedPlaces(''), resolve: () => new Promise(() => {}) })
    await expect(guard.checkStored('url', 'https://slow.example.com/')).resolves.toBeUndefined()
  })
})
