import { formatBytes, formatDuration, formatMs } from '../../src/shared/quantities.js'

test('a duration has its two largest units and stays on one line', () => {
  const shown = [0.4, 59.6, 187, 3_600 * 2 + 305, 3_600 * 1_500].map(formatDuration)
  expect(shown.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    ...['0 s', '1 min 0 s', '3 min 7 s', '2 h 5 min', '1,500 h 0 min'],
  ])
  expect(shown.join('')).not.toContain(' ')
})

test('times and sizes use the larger unit when they are rounded up to it', () => {
  expect([999.4, 999.6, 1_240].map(formatMs)).toEqual(['999 ms', '1 s', '1.2 s'])
  expect([512, 2_345_120].map(formatBytes)).toEqual(['0.5 kB', '2.3 MB'])
})
