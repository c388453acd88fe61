import { createDownloadProgress } from '../src/models/download-progress.js'

const lines: string[] = []
let nowMs = 0
const progress = () =>
  createDownloadProgress(
    (line) => lines.push(line),
    () => nowMs,
  )
beforeEach(() => {
  lines.length = 0
  nowMs = 0
})

test('a download is a bar with its share, its bytes and its speed', () => {
  const show = progress()
  show('model.onnx', 0, 60_000_000)
  nowMs = 2000
  show('model.onnx', 30_000_000, 60_000_000)
  expect(lines).toEqual([
    '[--------------------]   0 %  0.0 of 60.0 MB  0.0 MB/s  model.onnx',
    '[##########----------]  50 %  30.0 of 60.0 MB  15.0 MB/s  model.onnx',
  ])
})

test('the speed of a continued download counts only the bytes of this run', () => {
  const show = progress()
  show('model.onnx', 40_000_000, 60_000_000)
  nowMs = 1000
  show('model.onnx', 50_000_000, 60_000_000)
  expect(lines.at(-1)).toContain(' 10.0 MB/s ')
})

test('without a known size there is no bar', () => {
  progress()('model.onnx', 1_500_000, undefined)
  expect(lines).toEqual(['1.5 MB  0.0 MB/s  model.onnx'])
})

test('lines come at most ten times a second, and the last one always', () => {
  const show = progress()
  for (let received = 0; received <= 100; received++) {
    nowMs = received
    show('model.onnx', received, 100)
  }
  expect(lines).toHaveLength(2)
  expect(lines.at(-1)).toContain('100 %')
})
