import { parseAllowedPlaces } from '../src/index.js'

test('hosts, addresses and networks are allowed, and nothing else', () => {
  const places = parseAllowedPlaces(' hooks.internal, 10.0.0.0/8,192.168.1.7 ,fd00::/8,')
  expect(places.host('Hooks.Internal.')).toBe(true)
  expect(places.host('other.hooks.internal')).toBe(false)
  expect(['10.1.2.3', '192.168.1.7', 'fd12::1'].map((address) => places.address(address))).toEqual([true, true, true])
  expect(['11.0.0.1', '192.168.1.8', 'fe80::1', '::ffff:10.1.2.3', 'x'].map(places.address)).not.toContain(true)
})

test('nothing is allowed by an empty list', () => {
  const places = parseAllowedPlaces('')
  expect(places.host('localhost')).toBe(false)
  expect(places.address('127.0.0.1')).toBe(false)
})

test.each([
  '10.0.0.0/33',
  '10.0.0',
  '2130706433',
  '0x7f.1',
  'http://hooks.internal',
  'hooks.internal:80',
  '*.internal',
])('the error quotes %s, which is neither a host nor a network', (place) => {
  expect(() => parseAllowedPlaces(`10.0.0.0/8,${place}`)).toThrow(`"${place}" is neither`)
})
