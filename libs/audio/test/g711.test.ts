import { alawToPcm, pcmToAlaw, pcmToUlaw, ulawToPcm } from '../src/index.js'

test('silence and the loudest samples have the codes of G.711', () => {
  const pcm = Int16Array.of(0, 32767, -32768)
  expect([...pcmToUlaw(pcm)]).toEqual([0xff, 0x80, 0x00])
  expect([...pcmToAlaw(pcm)]).toEqual([0xd5, 0xaa, 0x2a])
})

test.each([
  ['µ-law', pcmToUlaw, ulawToPcm],
  ['A-law', pcmToAlaw, alawToPcm],
] as const)('%s changes no sample by more than its step', (_, encode, decode) => {
  const pcm = Int16Array.from({ length: 65536 }, (_, i) => i - 32768)
  const decoded = decode(encode(pcm))
  // Steps double with every octave of loudness; both laws have 16 in each.
  const beyond = pcm.filter((sample, i) => Math.abs(decoded[i]! - sample) > Math.max(16, Math.abs(sample) / 16))
  expect([...beyond]).toEqual([])
})
