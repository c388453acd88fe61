import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { isPublicAddress } from '../src/index.js'

const octets = (bytes: readonly number[]) => bytes.join('.')
const groups = (words: readonly number[]) => words.map((word) => word.toString(16)).join(':')

/** An address of a network: its first bits are those of the network, and the others are random. */
const within = (network: readonly number[], bits: number, unit: 8 | 16) => {
  const count = unit === 8 ? 4 : 8
  return fc.array(fc.integer({ min: 0, max: 2 ** unit - 1 }), { minLength: count, maxLength: count }).map((parts) =>
    parts.map((part, at) => {
      const own = Math.min(unit, Math.max(0, bits - at * unit))
      const free = 2 ** (unit - own) - 1
      return ((network[at] ?? 0) & ~free & (2 ** unit - 1)) | (part & free)
    }),
  )
}

const privateV4: readonly (readonly [readonly number[], number])[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 4],
  [[240], 4],
]

const privateV6: readonly (readonly [readonly number[], number])[] = [
  [[0], 8], // unspecified, loopback, and all that embed an IPv4 address
  [[0x64, 0xff9b], 96],
  [[0x64, 0xff9b, 1], 48],
  [[0x100], 64],
  [[0x2001, 0], 32],
  [[0x2001, 0x20], 28],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff], 20],
  [[0x4000], 2],
  [[0x8000], 1],
  [[0xfc00], 7],
  [[0xfe80], 10],
  [[0xfec0], 10],
  [[0xff00], 8],
]

test.each(privateV4)('no address of the network %p/%p is public', (network, bits) => {
  fc.assert(fc.property(within(network, bits, 8), (address) => !isPublicAddress(octets(address))))
})

test.each(privateV6)('no address of the IPv6 network %p/%p is public', (network, bits) => {
  fc.assert(fc.property(within(network, bits, 16), (address) => !isPublicAddress(groups(address))))
})

test('no IPv4 address embedded in an IPv6 address is public, in any notation', () => {
  const v4 = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(v4, (address) => {
      const dotted = octets(address)
      const high = (address[0]! << 8) | address[1]!
      const low = (address[2]! << 8) | address[3]!
      const words = groups([high, low])
      const forms = [
        `::ffff:${dotted}`,
        `::${dotted}`,
        `::ffff:0:${dotted}`,
        `64:ff9b::${dotted}`,
        `2002:${words}::1`,
        `2001:0:${words}::`,
        `0:0:0:0:0:ffff:${words}`,
      ]
      return forms.every((form) => isIPv6(form) && !isPublicAddress(form))
    }),
  )
})

test.each(['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'])(
  'the metadata address %s is not public',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
  },
)

test.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '017700000001', '8.8.8.8 ', '[::1]', 'fe80::1%eth0'])(
  '%j is not a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
  },
)

test.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
