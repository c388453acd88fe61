import type { WriteStream } from 'node:tty'
import { createProgress } from '../src/command.js'

const open = (isTTY: boolean, columns = 80) => {
  const written: string[] = []
  const stream = { isTTY, columns, write: (text: string) => written.push(text) }
  return { written, progress: createProgress(stream as unknown as WriteStream) }
}

test('each text replaces the previous one, and the empty one removes it', () => {
  const { written, progress } = open(true)
  for (const text of ['', 'first', 'second', 'second', '']) progress(text)
  expect(written).toEqual(['\r\x1b[Kfirst', '\r\x1b[Ksecond', '\r\x1b[K'])
})

test('a text stays within its line', () => {
  const { written, progress } = open(true, 10)
  progress('0123456789')
  expect(written).toEqual(['\r\x1b[K012345678'])
})

test('nothing is written to a file or another program', () => {
  const { written, progress } = open(false)
  progress('first')
  expect(written).toEqual([])
})
